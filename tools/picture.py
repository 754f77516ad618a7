"""Draw what `manyminds demo` shows, as an SVG for the README: the middle of the match, and its end.

It is the match that people see; how fast it was is this machine's. Nothing in the file is fetched from
elsewhere: it names fonts that terminals have instead of loading one.
Usage: picture.py FILE.svg [SEED]
"""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from manyminds.apps.closing import show_closing
from manyminds.apps.compiling import Compiling
from manyminds.apps.demo import HEADING, PROGRAMS
from manyminds.apps.look import look_of
from manyminds.apps.picture import picture
from manyminds.apps.scene import Scene
from manyminds.apps.status import Status
from manyminds.arena.match import Turn, play
from manyminds.games.registry import make_game

WIDTH, HEIGHT, SIZE = 84, 24, 9
MIDDLE = 70  # moves
FONTS = "Menlo, Consolas, 'DejaVu Sans Mono', 'Liberation Mono', monospace"


def svg_format() -> str:
    """Rich's frame of a terminal without the fonts that it would load."""
    own = re.sub(r"@font-face\s*\{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return own.replace("Fira Code, monospace", FONTS).replace("Fira Code", FONTS)


def draw(seed: int) -> str:
    """The demo in the middle of its match, and how it ends."""
    game, players = make_game("go", size=SIZE, colours=len(PROGRAMS)), list(PROGRAMS.values())
    scene, look = Scene(game, players, seed), look_of(game, "utf-8")
    console = Console(
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        width=WIDTH,
        highlight=False,
    )

    def take(turn: Turn) -> None:
        scene.take(turn)
        if turn.number + 1 == MIDDLE:
            console.print(picture(scene, look, HEADING.format(size=SIZE), WIDTH, HEIGHT))
            console.print(Text(f"  {Status(scene, Compiling()).words()}\n"))

    match = play(game, players, seed, on_move=take)
    show_closing(console, match, scene, look, None)
    return console.export_svg(title="manyminds demo", code_format=svg_format())


def main(arguments: list[str]) -> int:
    """Write one picture."""
    file = Path(arguments[0])
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(draw(int(arguments[1]) if len(arguments) > 1 else 0), encoding="utf-8")
    print(f"{file}: {file.stat().st_size // 1024} KB")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
