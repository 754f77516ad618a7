"""Mates with a tree each, what they say to each other, and the channels that carry it."""
