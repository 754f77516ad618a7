"""Options that every command spells alike: `--seed`, `--quiet`, `--json`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

MOST_SEED = 2**64 - 1


def seed(command: F) -> F:
    """`--seed N`, given to the command as `seed: int`; the same seed gives the same run."""
    return click.option(
        "--seed",
        type=click.IntRange(0, MOST_SEED),
        default=0,
        show_default=True,
        metavar="N",
        help="What all chance follows from: the same seed gives the same run.",
    )(command)


def quiet(command: F) -> F:
    """`--quiet`, given to the command as `quiet: bool`: no progress, results only."""
    return click.option(
        "-q", "--quiet", is_flag=True, help="Print results only, without progress."
    )(command)


def json(command: F) -> F:
    """`--json`, given to the command as `as_json: bool`: one JSON document and nothing else."""
    return click.option(
        "--json",
        "as_json",
        is_flag=True,
        help="Print one JSON document and nothing else on standard output.",
    )(command)


def complete(command: click.Command) -> click.Command:
    """The command with `--seed` and `--quiet` though it has no use for them: scripts give them to all."""
    if isinstance(command, click.Group):
        for part in command.commands.values():
            complete(part)
        return command
    known = {option.name for option in command.params}
    if "seed" not in known:
        command.params.append(_unused(["--seed"], "Taken by every command; this one has no use for it.",
                                      type=click.IntRange(0, MOST_SEED), metavar="N"))  # fmt: skip
    if "quiet" not in known:
        command.params.append(
            _unused(
                ["-q", "--quiet"],
                "Taken by every command; this one prints results only.",
                is_flag=True,
            )
        )
    return command


def _unused(names: list[str], text: str, **more: Any) -> click.Option:
    return click.Option(names, expose_value=False, help=text, **more)
