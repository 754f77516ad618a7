"""A mean and its standard error, exact to the last digit whatever the order of the games."""

from __future__ import annotations

import math

from manyminds.arena.statistics.checked import Values


def mean_and_error(values: Values) -> tuple[float, float]:
    """(mean, standard error) of at least one value.

    One value has an infinite error: it does not say how much games vary. Values that are all the
    same have none, and exactly their value as the mean. Sums are rounded once, so that a table
    does not change in its last digit with the order in which a store gives its games.
    """
    kept = values.tolist()
    n, lowest = len(kept), min(kept)
    if n == 1:
        return kept[0], math.inf
    if lowest == max(kept):
        return lowest, 0.0
    mean = math.fsum(kept) / n
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in kept) / (n - 1) / n)
