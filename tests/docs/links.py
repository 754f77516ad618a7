"""Links inside the project: which of a page's lead nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from markdown.extensions.toc import slugify

_FENCED = re.compile(r"^ *(```+).*?^ *\1 *$", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_LINK = re.compile(r"\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} +(.+?)(?: *\{#(?P<id>[\w-]+)\})? *#*$", re.MULTILINE)


def prose(page: Path) -> str:
    """The page's text without code and comments."""
    text = page.read_text(encoding="utf-8")
    return _COMMENT.sub("", _FENCED.sub("", text))


def anchors(page: Path) -> set[str]:
    """What a link may name behind `#` on this page."""
    found = _HEADING.finditer(prose(page))
    return {match["id"] or slugify(match[1].replace("`", ""), "-") for match in found}


def broken_links(page: Path) -> list[str]:
    """The page's links to files or headings that are not there; other sites are not asked."""
    broken = []
    for match in _LINK.finditer(_CODE.sub("", prose(page))):
        target = match[1] or match[2]
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = page.parent / name if name else page
        lost = not file.exists() or (
            anchor and file.suffix == ".md" and anchor not in anchors(file)
        )
        if lost:
            broken.append(target)
    return broken
