"""A program that plays Nim over GTP as it should. Heaps 3, 4, 5; B3 takes three from the second heap.

Written after the protocol alone: it knows nothing of the package it is played with.
"""

import sys


class Nim:
    """The position, and every command that changes or shows it."""

    def __init__(self):
        self.heaps = [3, 4, 5]

    def answer(self, words):
        """The answer to a command: a text, or ValueError for a refusal."""
        command, arguments = words[0], words[1:]
        if command == "manyminds-game" and arguments == ["nim"]:
            return ""
        if command == "clear_board":
            self.heaps = [3, 4, 5]
            return ""
        if command == "play":
            self.take(arguments[1])
            return ""
        if command == "genmove":
            heap = next(heap for heap in range(3) if self.heaps[heap])
            move = "ABC"[heap] + "1"
            self.take(move)
            return move
        if command == "heaps":
            return " ".join(map(str, self.heaps))
        raise ValueError(f"unknown command {command}")

    def take(self, move):
        heap, take = "ABC".index(move[0]), int(move[1:])
        if not 1 <= take <= self.heaps[heap]:
            raise ValueError(f"illegal move {move}")
        self.heaps[heap] -= take


def main():
    game = Nim()
    for line in sys.stdin:
        words = line.split()
        if words == ["quit"]:
            print("=\n", flush=True)
            return
        try:
            print(f"= {game.answer(words)}\n", flush=True)
        except ValueError as error:
            print(f"? {error}\n", flush=True)


if __name__ == "__main__":
    main()
