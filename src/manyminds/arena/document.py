"""A report's parts, and the two ways to write them: one self-contained HTML page, and Markdown."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence

import msgspec


class Heading(msgspec.Struct, frozen=True):
    """A section's name."""

    text: str


class Paragraph(msgspec.Struct, frozen=True):
    """Plain text."""

    text: str


class Bullets(msgspec.Struct, frozen=True):
    """A list of plain texts."""

    items: tuple[str, ...]


class Grid(msgspec.Struct, frozen=True):
    """A table of plain texts. Columns whose head ends in a tab are numbers, set to the right."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Pictures(msgspec.Struct, frozen=True):
    """SVG drawings side by side, with one caption. Markdown has the caption only."""

    drawings: tuple[str, ...]
    caption: str


class Listing(msgspec.Struct, frozen=True):
    """Text as typed: a command, a TOML file."""

    text: str
    language: str = ""


Block = Heading | Paragraph | Bullets | Grid | Pictures | Listing

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 76rem;
       margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; }
table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .7rem; border-bottom: 1px solid #ddd; text-align: left; vertical-align: top; }
th { border-bottom: 2px solid #888; white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
tbody tr:hover { background: #f4f7fa; }
.wide { overflow-x: auto; }
pre { background: #f5f5f5; padding: .8rem; overflow-x: auto; font-size: .85rem; }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: #555; font-size: .92rem; }
svg { max-width: 100%; height: auto; }
"""


def to_html(title: str, blocks: Sequence[Block]) -> str:
    """The page: no script, nothing fetched, readable offline and on paper."""
    body = "\n".join(_HTML[type(block)](block) for block in blocks)
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{html.escape(title)}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>{_STYLE}</style>\n</head>\n<body>\n<h1>{html.escape(title)}</h1>\n{body}\n"
        "</body>\n</html>\n"
    )


def to_markdown(title: str, blocks: Sequence[Block]) -> str:
    """The same as Markdown."""
    return (
        "\n\n".join([f"# {_plain(title)}", *(_MARKDOWN[type(block)](block) for block in blocks)])
        + "\n"
    )


def _html_grid(block: Grid) -> str:
    numbers = [head.endswith("\t") for head in block.heads]
    head = "".join(
        _cell("th", text.strip(), n) for text, n in zip(block.heads, numbers, strict=True)
    )
    lines = (
        "".join(_cell("td", text, n) for text, n in zip(row, numbers, strict=True))
        for row in block.rows
    )
    body = "\n".join(f"<tr>{line}</tr>" for line in lines)
    return (
        f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _cell(tag: str, text: str, number: bool) -> str:
    return f"<{tag}{' class=number' if number else ''}>{html.escape(text)}</{tag}>"


def _markdown_grid(block: Grid) -> str:
    rule = ["---:" if head.endswith("\t") else "---" for head in block.heads]
    rows = [[head.strip() for head in block.heads], rule, *map(list, block.rows)]
    return "\n".join("| " + " | ".join(_in_cell(text) for text in row) + " |" for row in rows)


def _in_cell(text: str) -> str:
    return (
        text
        if set(text) <= set("-:") and text
        else _plain(text).replace("|", "\\|").replace("\n", " ")
    )


def _plain(text: str) -> str:
    """Text in which Markdown finds no markup of its own."""
    for letter in "\\`*_<>[]#":
        text = text.replace(letter, "\\" + letter)
    return text


def _fence(block: Listing) -> str:
    fence = "```"
    while fence in block.text:
        fence += "`"
    return f"{fence}{block.language}\n{block.text.rstrip()}\n{fence}"


_HTML: dict[type, Callable[..., str]] = {
    Heading: lambda block: f"<h2>{html.escape(block.text)}</h2>",
    Paragraph: lambda block: f"<p>{html.escape(block.text)}</p>",
    Bullets: lambda block: (
        "<ul>" + "".join(f"<li>{html.escape(item)}</li>" for item in block.items) + "</ul>"
    ),
    Grid: _html_grid,
    Pictures: lambda block: (
        f"<figure>{''.join(block.drawings)}<figcaption>{html.escape(block.caption)}</figcaption></figure>"
    ),
    Listing: lambda block: f"<pre><code>{html.escape(block.text.rstrip())}</code></pre>",
}
_MARKDOWN: dict[type, Callable[..., str]] = {
    Heading: lambda block: f"## {_plain(block.text)}",
    Paragraph: lambda block: _plain(block.text),
    Bullets: lambda block: "\n".join(f"- {_plain(item)}" for item in block.items),
    Grid: _markdown_grid,
    Pictures: lambda block: _plain(f"(Plot in the HTML page: {block.caption})"),
    Listing: _fence,
}
