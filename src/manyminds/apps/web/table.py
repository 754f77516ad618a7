"""A table: one game with its seats, clocks and agreements. No sockets, no time of its own, no disk.

What seats may do is checked and becomes an event; applying events is all that changes a table, so that
a table is its set-up and its events, whatever happened to the server in between.

**Leaving** (resigning, running out of time, a program that fails): the stones stay and the seat passes
from then on. The last seat that has not left wins at once.
**Phases**: "playing"; "counting", once all have passed and people agree on dead stones; "over".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from manyminds.apps.web.clock import Clock
from manyminds.apps.web.course import Course
from manyminds.apps.web.event import (
    Agreed,
    Ended,
    Event,
    Left,
    Marked,
    Moved,
    Named,
    Setup,
    Thought,
    Undone,
    WentOn,
)
from manyminds.apps.web.opening import game_of, opening_of
from manyminds.apps.web.refused import Refused
from manyminds.games.go.coordinates import PASS

PLAYING, COUNTING, OVER = "playing", "counting", "over"
RESIGNED, LATE, FAILED = "resigned", "out of time", "failed"
MOST_UNDONE = 500  # of one table; each is played anew when the table is restored
MOST_EVENTS = 10_000  # of one table; each takes room for ever


@dataclass
class Seat:
    """Who sits on a seat; `left` says why it plays no longer."""

    player: str
    name: str
    key_hash: str
    shown: str
    left: str = ""

    @property
    def person(self) -> bool:
        return not self.player


@dataclass
class Question:
    """A seat wants to go back to before move `number`; these have said yes."""

    by: int
    number: int
    agreed: set[int]


class Table:
    """A game under way. `keep(event)` is called for every new event, after it has been applied."""

    def __init__(self, id: str, setup: Setup, keep: Callable[[Event], None] | None = None) -> None:  # noqa: A002 - what it is called everywhere
        self.id, self.setup = id, setup
        self.keep = keep or (lambda event: None)
        self.game = game_of(setup)
        self.course = Course(self.game, opening_of(setup))
        self.seats = [Seat(one.player, one.name, one.key_hash, one.shown) for one in setup.seats]
        self.clock = Clock(setup.clock, len(self.seats)) if setup.clock else None
        self.question: Question | None = None
        self.dead: set[int] = set()
        self.agreed: set[int] = set()
        self.thoughts: dict[int, Thought] = {}
        self.ended = ""
        self.undone = self.events = 0
        self.counting = False
        self._turn = -1  # for which the clocks were started

    # --- asked -----------------------------------------------------------------------------------

    @property
    def phase(self) -> str:
        """Which of the three it is."""
        return OVER if self.ended else COUNTING if self.counting else PLAYING

    @property
    def number(self) -> int:
        """Of the next move."""
        return len(self.course.moves)

    @property
    def mover(self) -> int | None:
        """Whose turn it is, while there are turns."""
        return self.course.seat if self.phase == PLAYING else None

    def playing(self) -> list[int]:
        """The seats that have not left."""
        return [seat for seat, one in enumerate(self.seats) if not one.left]

    def people(self) -> list[int]:
        """The people among them."""
        return [seat for seat in self.playing() if self.seats[seat].person]

    def colour(self, seat: int) -> str:
        """ "black"."""
        return self.game.seat_names[seat]

    # --- what seats may do: checked here, done in `_apply` --------------------------------------------

    def play(
        self, seat: int, move: str, number: int, now: float, thought: Thought | None = None
    ) -> None:
        """A move of a seat, by name."""
        if self.phase != PLAYING:
            raise Refused("no moves now: all have passed" if self.counting else _OVER)
        if seat != self.mover:
            raise Refused(f"it is {self.colour(self.course.seat)}'s turn")
        if number != self.number:
            raise Refused("this move was meant for another position")
        left = self.clock.after_turn(now) if self.clock and self.clock.running == seat else None
        self._do(Moved(seat, self.course.point(move), left, thought), now)

    def leave(self, seat: int, why: str, now: float) -> None:
        """A seat leaves the game."""
        if self.phase == OVER:
            raise Refused(_OVER)
        if self.seats[seat].left:
            raise Refused("this seat has left the game already")
        self._do(Left(seat, why), now)

    def ask_undo(self, seat: int, now: float) -> None:
        """A seat asks to take its last move back, and all that came after it. Programs agree."""
        self._must_play(seat)
        if self.question is not None:
            raise Refused("answer the question that is asked first")
        if self.undone >= MOST_UNDONE:
            raise Refused(f"a game has at most {MOST_UNDONE} undone moves")
        own = [n for n, one in enumerate(self.course.moves) if one.seat == seat and one.own]
        if not own:
            raise Refused("you have no move to take back")
        self.question = Question(seat, own[-1], {seat})
        self._settle_question(now)

    def answer(self, seat: int, yes: bool, now: float) -> None:
        """A seat's answer to the question; one no is enough."""
        self._must_play(seat)
        if self.question is None:
            raise Refused("nobody has asked anything")
        if not yes:
            self.question = None
            return
        self.question.agreed.add(seat)
        self._settle_question(now)

    def mark(self, seat: int, name: str, now: float) -> None:
        """The chain at this point is dead; or alive again."""
        self._must_count(seat)
        chain = set(self.course.chain(self.course.point(name)))
        dead = self.dead - chain if chain <= self.dead else self.dead | chain
        self._do(Marked(tuple(sorted(dead))), now)

    def propose_dead(self, dead: set[int], now: float) -> None:
        """What a program takes for dead, as long as nobody has marked or agreed to anything."""
        if self.phase == COUNTING and not self.dead and not self.agreed and dead:
            self._do(Marked(tuple(sorted(dead))), now)

    def agree(self, seat: int, seen: set[str], now: float) -> None:
        """A seat agrees to the dead stones, if they are those that it saw."""
        self._must_count(seat)
        if seen != {self.course.name(point) for point in self.dead}:
            raise Refused("somebody has marked other stones meanwhile: look again")
        self._do(Agreed(seat), now)
        self.settle_count(now)

    def settle_count(self, now: float, patience_over: bool = False) -> None:
        """The game ends when all people agree; or the others' patience is over."""
        if self.phase == COUNTING and (patience_over or self.agreed >= set(self.people())):
            self._do(Ended("agreed"), now)

    def go_on(self, seat: int, now: float) -> None:
        """A seat wants to play on."""
        self._must_count(seat)
        if self.course.at_the_limit:
            raise Refused("the last move of the game has been made: count it as it stands")
        self._do(WentOn(seat), now)

    def rename(self, seat: int, name: str, now: float) -> None:
        """A person says who sits there."""
        self._do(Named(seat, name), now)

    # --- events ------------------------------------------------------------------------------------

    def restore(self, events: list[Event], now: float) -> None:
        """As it was after these events; clocks run from now on."""
        for event in events:
            self._apply(event)
        self.events = len(events)
        self._clocks(now)

    def begin(self, points: list[int], now: float) -> None:
        """The moves of the file that the table was made from."""
        for point in points:
            self._do(Moved(self.course.seat, point), now)

    def _do(self, event: Event, now: float) -> None:
        if self.events >= MOST_EVENTS and not isinstance(event, Left | Ended):
            raise Refused("too much has happened at this table: it can only be resigned now")
        self._apply(event)
        self.events += 1
        self.keep(event)
        if self.phase != OVER and len(self.playing()) == 1:
            self._do(Ended("left"), now)
        elif self.phase == COUNTING and not self.people():
            self._do(Ended("over"), now)
        self._clocks(now)

    def _apply(self, event: Event) -> None:
        match event:
            case Moved():
                self.course.play(event.point)
                if self.clock and event.left is not None:
                    self.clock.left[event.seat] = event.left
                if event.thought is not None:
                    self.thoughts[event.thought.number] = event.thought
                self.question = None
            case Undone():
                self.course.back_to(event.number)
                self.thoughts = {n: one for n, one in self.thoughts.items() if n < event.number}
                self.undone += 1
                self.question, self.counting = None, False
            case Left():
                self.seats[event.seat].left = event.why
                self.question = None
            case Marked():
                self.dead, self.agreed = set(event.dead), set()
            case Agreed():
                self.agreed.add(event.seat)
            case WentOn():
                self.course.go_on()
                self.counting = False
            case Named():
                self.seats[event.seat].name = event.name
            case Ended():
                self.ended = event.why
        self._pass_for_the_gone()

    def _pass_for_the_gone(self) -> None:
        """Seats that have left pass; when all have passed, dead stones are talked about."""
        if self.ended:
            return
        while not self.course.over and self.seats[self.course.seat].left:
            self.course.play(PASS, own=False)
        if self.course.over and not self.counting:
            self.counting, self.dead, self.agreed = True, set(), set()

    def _clocks(self, now: float) -> None:
        """The mover's clock runs; programs have budgets, not clocks."""
        if self.clock is None:
            return
        mover = self.mover
        runs = mover if mover is not None and self.seats[mover].person else None
        if runs != self.clock.running or runs is None or self._turn != self.number:
            self.clock.start(runs, now)
        self._turn = self.number

    # --- checks --------------------------------------------------------------------------------------

    def _must_play(self, seat: int) -> None:
        if self.phase == OVER:
            raise Refused(_OVER)
        if self.seats[seat].left:
            raise Refused("you have left this game")

    def _must_count(self, seat: int) -> None:
        self._must_play(seat)
        if self.phase != COUNTING:
            raise Refused("stones are marked dead when all have passed")

    def _settle_question(self, now: float) -> None:
        question = self.question
        if question is not None and question.agreed >= set(self.people()):
            self._do(Undone(question.number), now)


_OVER = "this game is over"
