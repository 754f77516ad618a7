"""The mates that there are, by name."""

from __future__ import annotations

from typing import Any

from manyminds.players.arguments import Argument, choice, flag, number, whole
from manyminds.search.open_tree import MOST_PLANS
from manyminds.teams.message import MOST_BYTES
from manyminds.teams.registry import register_mate
from manyminds.teams.talks.joint_actions import JointActions
from manyminds.teams.talks.news import NewsTalk
from manyminds.teams.talks.plans import PlansTalk
from manyminds.teams.talks.results import Results
from manyminds.teams.talks.roots import Roots
from manyminds.teams.talks.silent import Plain, Silent
from manyminds.teams.talks.tree_cuts import TreeCuts

register_mate(
    "plain",
    Plain,
    help="no mates: one tree moves the whole team, which is what teams are compared with",
)
register_mate(
    "independent",
    Silent,
    (Argument("seeds", choice("same", "distinct"), "same", "whether all search alike"),),
    "mates that say nothing; with one seed they all build the same tree",
)
register_mate(
    "joint-actions",
    JointActions,
    help="mates that vote for the team's next joint move",
)
register_mate(
    "roots",
    Roots,
    help="mates that add up their visits of the team's next joint moves when they decide",
)
register_mate(
    "results",
    Results,
    (Argument("most", whole(1, 100_000), 440, "simulations kept until the channel is free"),),
    "mates that tell every simulation, the newest first",
)
register_mate(
    "tree-cuts",
    TreeCuts,
    (
        Argument("bytes", whole(64, MOST_BYTES), 2048, "of a message", positional=True, to="size"),
        Argument("echo", flag, False, "tell on what was received, too"),
    ),
    "mates that exchange the most visited parts of their trees",
)
register_mate(
    "news",
    NewsTalk,
    (
        Argument("bytes", whole(64, MOST_BYTES), 1200, "of a message at most", to="size"),
        Argument("least", whole(48, MOST_BYTES), 256, "of a message where the channel is slow"),
        Argument("changes", flag, True, "tell again only what the others lack"),
        Argument("adapt", flag, True, "send less while less than usual arrives"),
    ),
    "mates that tell node by node what is new, the most valuable first",
)
_OF_PLANS = (
    Argument("lines", whole(1, MOST_PLANS), 4, "told, each with its probability"),
    Argument("discount", number(0.9, 1.0), 0.999, "what a simulation counts after another one"),
    Argument("beta", number(0.001, 1000.0), 0.1, "how evenly lines are told at first"),
    Argument("step", number(0.0, 1.0), 0.5, "of their distribution, for each update"),
    Argument("least", number(0.0, 1e6), 10.0, "simulations along a line as far as it is told"),
    Argument("pause", whole(1, 1000), 5, "looks at the channel from one message to the next"),
    Argument("replies", flag, True, "the other teams' moves are in the tree, not in playouts only"),
)
register_mate(
    "dec-mcts",
    PlansTalk,
    _OF_PLANS,
    "mates with trees over their own moves only, who tell a few lines with probabilities",
)


def _neighbours(reach: int = 2, **others: Any) -> PlansTalk:
    return PlansTalk(reach=reach, **others)


register_mate(
    "neighbours",
    _neighbours,
    (
        Argument("reach", whole(1, 16), 2, "mates whose moves are in the tree", positional=True),
        *_OF_PLANS,
    ),
    "dec-mcts for large teams, with the nearest mates' moves in the tree, too",
)
