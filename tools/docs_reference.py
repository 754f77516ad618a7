"""A MkDocs hook: the reference's page gets an entry for every name of the facade, room by room.

The entries are made from the docstrings by mkdocstrings, which reads the source and imports nothing.
"""

from __future__ import annotations

from typing import Any

from manyminds import _HOMES

MARK = "<!-- every name of the facade -->"
ROOMS = {
    "core": "The ground",
    "games": "Games",
    "search": "Search",
    "parallel": "Parallel search",
    "players": "Players",
    "teams": "Teams",
    "arena": "Matches and campaigns",
    "papers": "The papers",
    "bridges": "Bridges",
    "apps": "Programs",
}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """MkDocs calls this with each page's text."""
    return markdown.replace(MARK, entries(_HOMES)) if MARK in markdown else markdown


def entries(homes: dict[str, str]) -> str:
    """A heading for each room that has names, and below it what mkdocstrings turns into their entries."""
    lines: list[str] = []
    for room, heading in ROOMS.items():
        names = sorted((name for name in homes if _room(homes[name]) == room), key=str.lower)
        if names:
            lines += [f"## {heading}", ""]
        for name in names:
            lines += [f"::: {homes[name]}.{name}", ""]
    return "\n".join(lines)


def _room(module: str) -> str:
    return module.split(".")[1]
