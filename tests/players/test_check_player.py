"""What `check_player` says of players that do wrong, each in its own way."""

import random

import pytest

from manyminds.core.errors import UsageError
from manyminds.games.registry import make_game
from manyminds.players.check import PlayerError, check_player
from manyminds.players.player import Decision, Forfeit
from manyminds.players.registry import make_player


class Polite:
    """Plays the first move."""

    def begin(self, game, seat, lineup):
        self.game, self.seat = game, seat

    def saw(self, joint):
        pass

    def decide(self, state, budget):
        return Decision(int(self.game.moves(state, self.seat)[0]))


class NeedsAnArgument(Polite):
    def __init__(self, courage):
        pass


class Cheat(Polite):
    def decide(self, state, budget):
        return Decision(10_000)


class Silent(Polite):
    def decide(self, state, budget):
        return None


class Boaster(Polite):
    def decide(self, state, budget):
        move = int(self.game.moves(state, self.seat)[0])
        return Decision(move, values={move: (2.0,) * self.game.seats}, beliefs={"friend": 1.5})


class Gambler(Polite):
    def decide(self, state, budget):
        return Decision(int(random.choice(self.game.moves(state, self.seat))))


class Hoarder(Polite):
    """Remembers an old match."""

    seen = 0

    def saw(self, joint):
        self.seen += 1

    def decide(self, state, budget):
        legal = self.game.moves(state, self.seat)
        return Decision(int(legal[self.seen % len(legal)]))


class Coward(Polite):
    def decide(self, state, budget):
        raise Forfeit("afraid")


class Broken(Polite):
    def close(self):
        raise OSError("the disk is gone")


WRONG = [
    (NeedsAnArgument, "made", "courage.*default"),
    (Cheat, "decides", "plays 10000, where moves lists"),
    (Silent, "decides", r"gives None: return mm\.Decision"),
    (Boaster, "values", "from 0 to 1"),
    (Boaster, "beliefs", "is 1.5"),
    (Gambler, "again", "same seed differ"),
    (Hoarder, "again", "begin anew"),
    (Coward, "decides", "forfeits: afraid"),
    (Broken, "closes", "OSError: the disk is gone"),
]


@pytest.mark.parametrize(("player", "clause", "sentence"), WRONG)
def test_what_is_wrong_is_found_and_said(player, clause, sentence):
    report = check_player(player, [make_game("nim")], raises=False)
    assert clause in [check.name for check in report.failures]
    import re

    assert re.search(sentence, report.of(clause).sentence)
    with pytest.raises(PlayerError, match=player.__name__):
        check_player(player, [make_game("nim")])


def test_who_does_right_passes_on_all_games():
    assert check_player(Polite).passed


def test_our_own_players_pass():
    game = make_game("three_hills")
    for text in ("random", "uct", "rave", "paranoid"):
        assert check_player(lambda text=text: make_player(text, game), [game]).passed


def test_who_lacks_a_method_is_told_which():
    class Half:
        def begin(self, game, seat, lineup):
            pass

    report = check_player(Half, [make_game("nim")], raises=False)
    assert report.of("methods").sentence == "it has no saw, decide: a player needs all three"


def test_no_game_to_play_is_a_mistake_of_the_callers():
    from manyminds.players import registry

    registry.register("shy-of-all", Shy, fits=lambda game: "plays nothing")
    with pytest.raises(UsageError, match="fits none"):
        check_player(Shy)


class Shy(Polite):
    pass
