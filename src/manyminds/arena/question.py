"""How many games a question needs: which of the statistics' calculators answers it."""

from __future__ import annotations

import math

from manyminds.arena import statistics
from manyminds.core.errors import UsageError


def games_needed(
    points: float | None = None,
    sd: float | None = None,
    share: float | None = None,
    known: float | None = None,
    published_error: float | None = None,
    within: float | None = None,
    sprt: tuple[float, float] | None = None,
    power: float = 0.8,
    level: float = 0.95,
) -> tuple[int, str]:
    """The number of games, and what they are for; see `manyminds campaign needed --help`."""
    surely = f"with power {power:g} at level {level:g}"
    if sprt is not None:
        return _sequential(sprt, share)
    if within is not None:
        return _interval(within, sd, share, level)
    if points is not None:
        if sd is None:
            raise UsageError("--points needs --sd, the standard deviation of one game's points")
        if published_error is not None:
            games = statistics.games_to_tell_mean_from(points, sd, published_error, power, level)
            return games, f"of one line-up show {points:g} points from the published mean, {surely}"
        games = statistics.games_to_tell_means(points, sd, power=power, level=level)
        return games, f"of each of two line-ups show a difference of {points:g} points, {surely}"
    if share is not None and known is not None:
        games = statistics.games_to_tell_share_from(share, known, power, level)
        return games, f"of one line-up tell a share of {share:g} from {known:g}, {surely}"
    raise UsageError(
        "ask for one of: --points D --sd S; --share P --known Q; --within W with --sd or --share; "
        "--sprt P0 P1 --share P"
    )


def _sequential(shares: tuple[float, float], truth: float | None) -> tuple[int, str]:
    if truth is None:
        raise UsageError("--sprt needs --share, the share of wins that is expected")
    test = statistics.Sprt(*shares)
    games = math.ceil(statistics.games_for_sprt(test, truth))
    return (
        games,
        f"on average until {shares[0]:g} and {shares[1]:g} are told apart, if it is {truth:g}",
    )


def _interval(
    within: float, sd: float | None, share: float | None, level: float
) -> tuple[int, str]:
    if sd is not None:
        return statistics.games_for_mean(within, sd, level), f"for mean points within ± {within:g}"
    if share is not None:
        return statistics.games_for_share(within, share, level), f"for a share within ± {within:g}"
    raise UsageError("--within needs --sd (for points) or --share (for a share of wins)")
