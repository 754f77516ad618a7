"""OpenSpiel and PettingZoo: their games under our search, our games in their world.

Importing this registers; neither of the two is loaded before it is used.
"""

from manyminds.games.registry import register_game

register_game(
    "openspiel",
    "manyminds.bridges.openspiel.game:openspiel",
    "any game of OpenSpiel's with perfect information in which one moves at a time",
    {
        "game": 'as OpenSpiel writes it: "go(board_size=9)" (tic_tac_toe)',
        "utilities": "the worst and the best return, where OpenSpiel does not know them",
        "longest": "moves after which a game counts as over (OpenSpiel's own bound)",
    },
    extra="bridges",
)
