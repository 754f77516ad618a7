"""The mates that there are, by name."""

from __future__ import annotations

from manyminds.players.arguments import Argument, choice, flag, whole
from manyminds.teams.message import MOST_BYTES
from manyminds.teams.registry import register_mate
from manyminds.teams.talks.joint_actions import JointActions
from manyminds.teams.talks.news import NewsTalk
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
        Argument("least", whole(48, MOST_BYTES), 128, "of a message where the channel is slow"),
        Argument("changes", flag, True, "tell again only what the others lack"),
        Argument("adapt", flag, True, "send less while less than usual arrives"),
    ),
    "mates that tell node by node what is new, the most valuable first",
)
