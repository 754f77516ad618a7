"""Mates, what they say to each other, and the channels that carry it."""

from manyminds.players import known as known_players
from manyminds.teams import mates  # noqa: F401  (it registers the mates)
from manyminds.teams.channel import known_channels, make_channel, register_channel
from manyminds.teams.registry import known_mates, register_mate
from manyminds.teams.team import Team
from manyminds.teams.virtual import channel

__all__ = [
    "Team",
    "channel",
    "known_channels",
    "known_mates",
    "known_players",
    "make_channel",
    "register_channel",
    "register_mate",
]
