"""The program at the other end of pipes: garbage, endless lines, and matches of the arena."""

import os
import random
import subprocess
import sys

import pytest

import manyminds as mm
from manyminds.apps.gtp.lines import MOST_IN_LINE, Lines
from manyminds.apps.gtp.session import COMMANDS

ENGINE = f"{sys.executable} -m manyminds gtp --quiet"


def said(data, *options):
    """What the program answers to these bytes, as a list of answers."""
    done = subprocess.run([*ENGINE.split(), *options], input=data, capture_output=True, timeout=100)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    assert b"Traceback" not in done.stderr, done.stderr.decode()[-2000:]
    return done.stdout.decode().split("\n\n")[:-1]


def test_ends_with_its_input_and_with_quit():
    assert said(b"name") == ["= manyminds"]
    assert said(b"1 quit\n2 name\n") == ["=1"]


def test_survives_lines_without_end():
    flood = b"play b " + b"E5" * 3_000_000
    answers = said(flood + b"\n" + b"5 " + flood + b"\r\n6 name\r\n")
    assert answers == ["? this line is too long", "?5 this line is too long", "=6 manyminds"]


def _noise(chance):
    """A line that is nearly a command, or none at all."""
    if chance.random() < 0.2:
        raw = bytes(chance.randrange(256) for _ in range(chance.randrange(200)))
        return raw.replace(b"\n", b" ").replace(b"#", b" ")
    slow = {"quit", "loadsgf", "printsgf", "lz-analyze", "kata-analyze", "manyminds-remark"}
    names = [name for name in COMMANDS if name not in slow]
    words = ["b", "w", "E5", "pass", "9", "5", "0", "-1", "1e9", "nan", "red", "dead", "true", "é"]
    words += ["black", "interval", "player", "budget", "x"]
    line = [chance.choice(names), *chance.choices(words, k=chance.randrange(5))]
    return (" ".join(line)).encode()


def test_survives_garbage():
    chance = random.Random(2011)
    lines = [_noise(chance) for _ in range(600)]
    lines = [b"7 " + line for line in lines]
    answers = said(b"\n".join(lines) + b"\n8 name\n", "--player", "random")
    assert answers[-1] == "=8 manyminds"
    assert len(answers) == 601
    for answer in answers[:-1]:
        assert answer[:2] in ("=7", "?7")
        assert "internal error" not in answer


def test_reads_a_line_in_pieces_and_tells_when_one_waits():
    ours, its = os.pipe()
    lines = Lines(ours)
    os.write(its, b"na")
    assert not lines.waiting
    os.write(its, b"me\nversion")
    assert lines.next(5).name == "name"
    os.close(its)
    assert lines.next(5).name == "version"
    assert lines.next(5) is None
    assert lines.waiting
    assert lines.next(5) is None


def test_a_line_of_the_greatest_length_is_read():
    ours, its = os.pipe()
    lines = Lines(ours)
    for size, too_long in ((MOST_IN_LINE, False), (MOST_IN_LINE + 1, True)):
        os.write(its, b"x" * (size // 2))
        os.write(its, b"x" * (size - size // 2) + b"\n")
        assert lines.next(5).too_long is too_long
    os.close(its)


def _match(game, player, seed):
    """A match of the arena in which our program plays every seat but the first, over GTP."""
    outside = f'gtp("{ENGINE} --player {player}")'
    return mm.play(game, ["random", *[outside] * (game.seats - 1)], seed=seed, move_limit=30)


@pytest.mark.slow
def test_plays_in_the_arena_what_the_arena_can_tell():
    for game in (mm.go(size=7), mm.go(size=(7, 5), colours=3, komi=[0, 1, 2])):
        match = _match(game, "random", 5)
        assert not match.forfeits
        assert len(match.names) > 10
    match = _match(mm.make_game("nim"), "uct@200", 3)
    assert not match.forfeits
    assert match.ending == "over"
