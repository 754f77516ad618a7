"""The command line's ground: help at once, exit statuses that scripts can trust, no tracebacks."""

import subprocess
import sys
import time
import types

import click
import pytest

from manyminds import __version__
from manyminds.apps import main, options
from manyminds.core.errors import Failure, MissingExtra, UsageError


def manyminds(*arguments, **more):
    """Run the program as people do."""
    return subprocess.run(
        [sys.executable, "-m", "manyminds", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        **more,
    )


@pytest.fixture
def command(monkeypatch):
    """Put a command `try` into the table: its body is the function given."""

    def put(body, *decorators):
        room = types.ModuleType("tried")
        room.it = body
        for decorate in decorators:
            room.it = decorate(room.it)
        room.it = click.command("try")(room.it)
        monkeypatch.setitem(sys.modules, "tried", room)
        monkeypatch.setitem(main.COMMANDS, "try", ("tried:it", "Tries."))

    return put


def raises(error):
    def body():
        raise error

    return body


def test_help_is_instant():
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        assert manyminds("--help").returncode == 0
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 0.3


def test_help_imports_no_command_and_no_kernels():
    code = (
        "import sys\nfrom manyminds.apps.main import run\nrun(['--help'])\n"
        "print(sorted(m for m in sys.modules if m.startswith('manyminds.')))\n"
        "print([m for m in ('numba', 'numpy', 'rich') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    *_, ours, heavy = done.stdout.strip().split("\n")
    assert (
        ours
        == "['manyminds.apps', 'manyminds.apps.main', 'manyminds.core', 'manyminds.core.errors']"
    )
    assert heavy == "[]"


def test_help_lists_every_command_with_its_line():
    said = " ".join(manyminds("--help").stdout.split())
    for name, (_, text) in main.COMMANDS.items():
        assert f"{name} {' '.join(text.split())}" in said


def every_command():
    """The words that call each command, subcommands too."""
    waiting = [((name,), main.cli.get_command(None, name)) for name in main.COMMANDS]
    while waiting:
        words, command = waiting.pop()
        yield words
        if isinstance(command, click.Group):
            waiting += [((*words, name), below) for name, below in command.commands.items()]


@pytest.mark.parametrize("words", list(every_command()), ids=" ".join)
def test_every_command_has_help_with_an_example(words, capsys):
    assert main.run([*words, "--help"]) == 0
    below_the_usage = capsys.readouterr().out.split("Usage:", 1)[1].split("\n", 1)[1]
    assert f"manyminds {' '.join(words)}" in below_the_usage


def test_version():
    assert manyminds("--version").stdout == f"manyminds {__version__}\n"


def test_an_unknown_command_is_told_the_nearest(command):
    command(lambda: None)
    done = main.run(["tyr"])
    assert done == 2


def test_an_unknown_command_says_so_on_standard_error(command, capsys):
    command(lambda: None)
    main.run(["tyr"])
    out, err = capsys.readouterr()
    assert out == ""
    assert err == 'manyminds: there is no command "tyr"; did you mean "try"?\n'


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (UsageError("no such maze"), 2),
        (MissingExtra("plots", "a report"), 2),
        (Failure("the disk is full"), 1),
        (click.UsageError("no such option"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_errors_become_exit_statuses(command, error, status, capsys):
    command(raises(error))
    assert main.run(["try"]) == status
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    assert str(error) in err


def test_a_mistake_of_ours_is_not_hidden(command):
    command(raises(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        main.run(["try"])


def test_a_status_that_a_command_returns_is_the_programs(command):
    command(lambda: 3)
    assert main.run(["try"]) == 3


TALKER = """
import click, sys, types
from manyminds.apps import main
room = sys.modules["talker"] = types.ModuleType("talker")
room.it = click.command("talk")(lambda: [click.echo(n) for n in range({lines})] and None)
main.COMMANDS["talk"] = ("talker:it", "Talks.")
sys.exit(main.run(["talk"]))
"""


@pytest.mark.parametrize("lines", [1, 100_000])
def test_a_reader_that_goes_away_ends_it_quietly(lines, tmp_path):
    """With one line the closed pipe is met at the last flush, with many in the middle."""
    (tmp_path / "talker.py").write_text(TALKER.format(lines=lines))
    with subprocess.Popen(
        [sys.executable, tmp_path / "talker.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as talker:
        talker.stdout.close()  # before the first word: Python alone needs longer to start
        assert talker.stderr.read() == ""
        assert talker.wait(timeout=60) == 1


def test_shared_options_reach_the_command(command):
    got = {}
    command(lambda **given: got.update(given), options.seed, options.quiet, options.json)
    assert main.run(["try", "--seed", "18446744073709551615", "-q", "--json"]) == 0
    assert got == {"seed": 2**64 - 1, "quiet": True, "as_json": True}
    assert main.run(["try"]) == 0
    assert got == {"seed": 0, "quiet": False, "as_json": False}


@pytest.mark.parametrize("seed", ["-1", "18446744073709551616", "x"])
def test_a_seed_has_64_bits(command, seed):
    command(lambda seed: None, options.seed)
    assert main.run(["try", "--seed", seed]) == 2
