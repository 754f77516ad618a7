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
