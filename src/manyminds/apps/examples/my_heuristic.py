"""my-heuristic: in Go's playouts, play beside the last move, where the fewest stones of others are.

Change it into your own, and look after each change:

    manyminds check my_heuristic.py     is it fit for playouts, and if not, what to do

A playout draws one of the candidates; where there is none, the next heuristic of the agent is asked. In a
database it stands beside ours:

    files  = ["my_heuristic.py"]
    agents = [["my-heuristic", "AC", "AD", "L", "P"], ["L", "P"]]
"""

import manyminds as mm


@mm.kernel
def strangers_beside(board, point):
    """Stones of other colours beside a point."""
    n = 0
    for neighbour in mm.neighbours4(point):
        colour = board.color[neighbour]
        if 1 <= colour <= board.colours and colour != board.to_play:
            n += 1
    return n


@mm.heuristic("my-heuristic", help="beside the last move, where the fewest others are")
def my_heuristic(board, out):
    """Write candidates to `out`; how many they are, 0 to decline. The board is only read."""
    if board.last == 0:  # a pass, or no move yet
        return 0
    fewest, n = 9, 0
    for point in mm.neighbours8(board.last):
        if board.color[point] != mm.EMPTY:
            continue
        others = strangers_beside(board, point)
        if others < fewest:
            fewest, n = others, 0
        if others == fewest:
            out[n] = point
            n += 1
    return n
