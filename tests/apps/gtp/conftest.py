"""A conversation in this process: commands in, answers out, with no pipes between."""

from collections import deque

import pytest

from manyminds.apps.gtp import more, standard  # noqa: F401  (they register their commands)
from manyminds.apps.gtp.lines import parse
from manyminds.apps.gtp.session import Session
from manyminds.players.spec import PlayerSpec


class Queue:
    """Lines that wait from the start; a stream is interrupted after `patience` looks."""

    def __init__(self):
        self.lines, self.patience = deque(), 3

    def next(self, seconds=None):
        return self.lines.popleft() if self.lines else None

    @property
    def waiting(self):
        self.patience -= 1
        return self.patience < 0


class Talk:
    """`talk("genmove b")` gives the answer's text; a refused one is an error unless `refused`."""

    def __init__(self, player, **choices):
        self.said = []
        self.lines = Queue()
        self.session = Session(PlayerSpec.parse(player), self.lines, self.said.append, **choices)

    def raw(self, text):
        """The whole answer as sent."""
        self.said.clear()
        self.lines.patience = 3
        line = parse(text)
        if line is not None:
            self.session.answer(line)
        return "".join(self.said)

    def __call__(self, text, refused=False):
        answer = self.raw(text)
        assert answer.endswith("\n\n"), answer
        assert answer[0] == ("?" if refused else "="), f"{text}: {answer}"
        return answer[1:].strip()


@pytest.fixture
def talk():
    """Starts a conversation with a player that costs nothing, or with the one that is named."""
    return lambda player="random", **choices: Talk(player, **choices)
