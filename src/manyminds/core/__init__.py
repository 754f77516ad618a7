"""The compiled ground: kernel decorators, their cache, records, random numbers, atomics, budgets."""
