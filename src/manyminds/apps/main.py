"""The command `manyminds`: what it can do is loaded when asked for, so that help is instant."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from manyminds import __version__
from manyminds.core.errors import Failure, UsageError, nearest

# name: (where the command is, its line of help)
COMMANDS = {
    "demo": (
        "manyminds.apps.demo:demo",
        "Three programs play three-colour Go, live in the terminal.",
    ),
    "play": (
        "manyminds.apps.play:play",
        "One match of programs and people, on any game.",
    ),
    "list": (
        "manyminds.apps.listing:listing",
        "What there is, with one line each.",
    ),
    "campaign": (
        "manyminds.apps.campaign:campaign",
        "Many matches that answer one question: run, resume, report, export.",
    ),
    "learn": (
        "manyminds.apps.learn:learn",
        "Find a good set of playout agents, and measure it on fresh games.",
    ),
    "reproduce": (
        "manyminds.apps.reproduce:reproduce",
        "A paper's tables, its printed numbers beside ours.",
    ),
    "bench": (
        "manyminds.apps.bench:bench",
        "Our speed, memory and waiting times, beside rivals' in the same run.",
    ),
    "watch": (
        "manyminds.apps.watch:watch",
        "A game of a campaign's store, move by move; a server's page.",
    ),
    "serve": (
        "manyminds.apps.serve:serve",
        "Go in the browser, for people and programs.",
    ),
    "gtp": (
        "manyminds.apps.gtp.command:gtp",
        "A player of ours as a GTP 2 engine: for Sabaki, GoGui and tournaments.",
    ),
    "teammate": (
        "manyminds.apps.teammate:teammate",
        "One mate of a team as a process of its own, on a real network.",
    ),
    "check": (
        "manyminds.apps.check:check",
        "The compliance tests on your own game, heuristic, player or channel.",
    ),
    "new": (
        "manyminds.apps.new:new",
        "A working game, heuristic or player of your own to start from.",
    ),
}

FAILED, TYPED_WRONG, INTERRUPTED = 1, 2, 130


class LazyGroup(click.Group):
    """A group that knows its commands' names and help without importing them."""

    def __init__(self, commands: dict[str, tuple[str, str]], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.table = commands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order of the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command of that name."""
        if cmd_name not in self.table:
            return None
        module, attribute = self.table[cmd_name][0].split(":")
        command = getattr(import_module(module), attribute)
        assert isinstance(command, click.Command)
        from manyminds.apps.options import complete

        return complete(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that was typed, or say which one was probably meant."""
        if args[0] not in self.table and not args[0].startswith("-"):
            raise UsageError(f'there is no command "{args[0]}"; {nearest(args[0], self.table)}')
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table."""
        rows = [(name, text) for name, (_, text) in self.table.items()]
        if rows:
            with formatter.section("Commands"):
                formatter.write_dl(rows)


@click.group(
    cls=LazyGroup,
    commands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Example: manyminds COMMAND --help says what a command takes, with an example.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Monte Carlo tree search for many minds."""


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and give its exit status: 0 only when all went well."""
    try:
        result = cli.main(arguments, prog_name="manyminds", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except UsageError as error:
        return _complain(error, TYPED_WRONG)
    except Failure as error:
        return _complain(error, FAILED)
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        # Nobody reads any more (`manyminds list games | head -1`). What is still buffered must not
        # be written at exit, which would complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _complain(error: Exception, status: int) -> int:
    click.echo(f"manyminds: {error}", err=True)
    return status


def main() -> NoReturn:
    """The console script."""
    sys.exit(run())
