"""`manyminds new`: a file to start from that works as it is."""

from __future__ import annotations

import json
import keyword
import re
from pathlib import Path

import click

from manyminds.apps import options
from manyminds.core.errors import Failure, UsageError, nearest

_EXAMPLES = Path(__file__).parent / "examples"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII)
# What can be begun, and what to type next.
KINDS = {
    "game": ("manyminds check {file}", "manyminds play {file}"),
    "heuristic": ("manyminds check {file}",),
    "player": ("manyminds check {file}",),
}


@click.command()
@click.argument("kind", metavar=f"[{'|'.join(KINDS)}]")
@click.argument("name")
@click.option("--to", "folder", type=click.Path(file_okay=False, path_type=Path), default=Path(),
              metavar="FOLDER", help="Where to write it. [here]")  # fmt: skip
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@options.json
def new(kind: str, name: str, folder: Path, force: bool, as_json: bool) -> None:
    """Write NAME.py, a working game, heuristic or player of your own to start from.

    It passes `manyminds check` as it is; change it a function at a time. NAME is one word in small
    letters, which becomes the name in the file, too.

    \b
    Example:
      manyminds new game hexes
      manyminds new heuristic shy
      manyminds new player gambler --to mine
    """
    if kind not in KINDS:
        raise UsageError(f'"{kind[:40]}" cannot be begun; {nearest(kind[:40], KINDS)}')
    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name == "manyminds":
        raise UsageError(
            f'"{name[:40]}" cannot name a file of Python: one word of small letters, digits and _'
        )
    file = folder / f"{name}.py"
    if file.exists() and not force:
        raise UsageError(f"{file} is there already; take another name, or --force")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text_of(kind, name), encoding="utf-8")
    except OSError as error:
        raise Failure(f"{file} cannot be written: {error.strerror or error}") from error
    then = [line.format(file=file) for line in KINDS[kind]]
    if as_json:
        click.echo(json.dumps({"file": str(file), "kind": kind, "next": then}))
        return
    click.echo("\n".join([f"wrote {file}; next:", *(f"  {line}" for line in then)]))


def text_of(kind: str, name: str) -> str:
    """The example with its name in place of "my_game", "my-game" and "MyGame"."""
    text = (_EXAMPLES / f"my_{kind}.py").read_text(encoding="utf-8")
    title = "".join(part.capitalize() for part in name.split("_"))
    for word, mine in (
        (f"my_{kind}", name),
        (f"my-{kind}", name.replace("_", "-")),
        (f"My{kind.capitalize()}", title),
    ):
        text = text.replace(word, mine)
    return text
