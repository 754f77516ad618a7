"""A real network for mates: sealed envelopes, transports, and both ends of them, in real time."""
