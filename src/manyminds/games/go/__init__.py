"""Go for two to six colours: board, rules, scoring, playouts, and its text side."""

from manyminds.games.go.game import go

__all__ = ["go"]
