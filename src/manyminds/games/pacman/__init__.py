"""Ms Pac-Man vs Ghosts: mazes, rules, playouts, and what a search sees of them."""

from manyminds.games.pacman.game import pacman

__all__ = ["pacman"]
