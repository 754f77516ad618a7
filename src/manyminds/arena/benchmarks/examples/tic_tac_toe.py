"""Tic-tac-toe, a game of one's own in plain Python; `manyminds bench ttt-plugin` searches it."""

import manyminds as mm

BOARD = mm.record(square="uint8[9]", stones="uint8", last="uint8")  # 0 empty, 1 crosses, 2 noughts


@mm.kernel
def seat(board):
    return board.stones % 2


@mm.kernel
def moves(board, out):
    n = 0
    for square in range(9):
        if board.square[square] == 0:
            out[n] = square
            n += 1
    return n


@mm.kernel
def play(board, move):
    board.square[move] = 1 + board.stones % 2
    board.stones += 1
    board.last = move


@mm.kernel
def won(board):  # by the last stone: its row, its column, or a diagonal
    s, column = board.square, board.last % 3
    row = board.last - column
    return board.stones > 4 and (
        s[row] == s[row + 1] == s[row + 2]
        or s[column] == s[column + 3] == s[column + 6]
        or (s[4] != 0 and (s[0] == s[4] == s[8] or s[2] == s[4] == s[6]))
    )


@mm.kernel
def over(board):
    return won(board) or board.stones == 9


@mm.kernel
def rewards(board, out):
    next_seat = board.stones % 2
    out[next_seat] = 0.0 if won(board) else 0.5
    out[1 - next_seat] = 1.0 - out[next_seat]


tic_tac_toe = mm.Game("tic-tac-toe", BOARD, seats=2, start=BOARD.new, seat=seat, moves=moves, play=play,
                      over=over, rewards=rewards, move_ids=9, most_moves=9, longest=9)  # fmt: skip
