"""The chase once more, slow and obvious: every tick, every move, no order, nothing left out.

Played on the maze itself and by the words of the rules; shares no line with the search that it checks.
"""

import functools

from manyminds.games.pacman.maze import opposite


class SlowChase:
    """Whether Pac-Man can live for some ticks whatever the ghosts do, when they know his moves.

    He turns at junctions only, once he has made his first move.
    """

    def __init__(self, game, state):
        self.maze = game.mazes[0]
        self.near = functools.cache(self._near)
        self.him = int(state.pacman), int(state.pacman_move)
        self.ghosts = tuple(
            ("lair", int(state.lair[ghost]))
            if state.lair[ghost]
            else (int(state.ghost[ghost]), int(state.ghost_move[ghost]))
            for ghost in range(4)
        )
        self.lives = functools.cache(self._lives)

    def _near(self, node):
        found = {node}
        for _ in range(2):
            found |= {there for here in found for _, there in self.maze.links(here)}
        return found

    def survives(self, move, ticks):
        """After this first move of his."""
        return self._after(move, self.him, self.ghosts, ticks)

    def _lives(self, him, ghosts, ticks):
        if ticks == 0:
            return True
        return any(self._after(move, him, ghosts, ticks) for move in self._moves_of_pacman(him))

    def _moves_of_pacman(self, him):
        node, last = him
        ways = [move for move, _ in self.maze.links(node)]
        return ways if len(ways) > 2 else [move for move in ways if move != opposite(last)]

    def _after(self, move, him, ghosts, ticks):
        him = dict(self.maze.links(him[0]))[move], move
        return all(
            not self._caught(him, then) and self.lives(him, self._released(then), ticks - 1)
            for then in self._all_replies(ghosts)
        )

    def _all_replies(self, ghosts):
        """All ways in which the ghosts can move together."""
        if not ghosts:
            yield ()
            return
        for rest in self._all_replies(ghosts[1:]):
            for one in self._moves_of_ghost(ghosts[0]):
                yield (one, *rest)

    def _moves_of_ghost(self, ghost):
        if ghost[0] == "lair":
            return [("lair", ghost[1] - 1)]
        node, last = ghost
        return [(there, move) for move, there in self.maze.links(node) if move != opposite(last)]

    def _caught(self, him, ghosts):
        return any(ghost[0] in self.near(him[0]) for ghost in ghosts if ghost[0] != "lair")

    def _released(self, ghosts):
        return tuple((self.maze.ghosts, 4) if ghost == ("lair", 0) else ghost for ghost in ghosts)
