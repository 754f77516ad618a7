"""Statistics, once, for everybody: what a number of games says, and how surely.

Every result is an `Interval`; every comparison a `Difference`. docs/statistics.md has the
formulas, the choices and the measured coverages.
"""

from manyminds.arena.statistics.differences import (
    Difference,
    paired_difference,
    published_difference,
    published_share_difference,
    share_difference,
    welch_difference,
)
from manyminds.arena.statistics.elo import (
    EloTable,
    elo_of_interval,
    elo_of_share,
    elo_table,
    share_of_elo,
)
from manyminds.arena.statistics.interval import Interval
from manyminds.arena.statistics.intervals import (
    bootstrap_interval,
    exact_share,
    mean_interval,
    wilson,
)
from manyminds.arena.statistics.many import holm, shared_level
from manyminds.arena.statistics.needed import (
    games_for_mean,
    games_for_share,
    games_for_sprt,
    games_to_tell_mean_from,
    games_to_tell_means,
    games_to_tell_share_from,
    games_to_tell_shares,
)
from manyminds.arena.statistics.published import Published
from manyminds.arena.statistics.sequential import Decision, SequentialTest, Sprt, Verdict, judge
from manyminds.arena.statistics.strength import (
    StrengthFit,
    fit_strength,
    mean_speed_up_interval,
    speed_up_interval,
)
from manyminds.arena.statistics.tally import Tally

__all__ = [
    "Decision",
    "Difference",
    "EloTable",
    "Interval",
    "Published",
    "SequentialTest",
    "Sprt",
    "StrengthFit",
    "Tally",
    "Verdict",
    "bootstrap_interval",
    "elo_of_interval",
    "elo_of_share",
    "elo_table",
    "exact_share",
    "fit_strength",
    "games_for_mean",
    "games_for_share",
    "games_for_sprt",
    "games_to_tell_mean_from",
    "games_to_tell_means",
    "games_to_tell_share_from",
    "games_to_tell_shares",
    "holm",
    "judge",
    "mean_interval",
    "mean_speed_up_interval",
    "paired_difference",
    "published_difference",
    "published_share_difference",
    "share_difference",
    "share_of_elo",
    "shared_level",
    "speed_up_interval",
    "welch_difference",
    "wilson",
]
