"""Our games as PettingZoo environments: one agent at a time (AEC), or all at once (parallel)."""
