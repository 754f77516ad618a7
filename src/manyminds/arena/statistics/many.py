"""When many differences are looked at: what is still remarkable among them."""

from __future__ import annotations

from collections.abc import Sequence

from manyminds.arena.statistics.checked import checked_count, checked_level, checked_share


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Holm's adjusted p-values, in the order given: compare each with 1 - level as if alone.

    The chance that any true "no difference" falls below a bound is at most that bound, however
    the results hang together.
    """
    kept = [checked_share(p, "a p-value") for p in p_values]
    adjusted, worst = [0.0] * len(kept), 0.0
    for rank, place in enumerate(sorted(range(len(kept)), key=kept.__getitem__)):
        worst = max(worst, min(1.0, (len(kept) - rank) * kept[place]))
        adjusted[place] = worst
    return tuple(adjusted)


def shared_level(level: float, many: int) -> float:
    """The level for each of `many` intervals that together cover with `level` (Bonferroni's)."""
    return 1.0 - (1.0 - checked_level(level)) / checked_count(many, "how many", least=1)
