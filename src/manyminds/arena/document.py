"""A report's parts, and the two ways to write them: one self-contained HTML page, and Markdown."""

from __future__ import annotations

import html
import re
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
    """A table of plain texts. Columns whose head ends in a tab are numbers, set to the right.

    Texts may have several lines. On a narrow page every row is a card, the heads beside its cells.
    """

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
pre { background: #f5f5f5; padding: .8rem; font-size: .85rem; white-space: pre-wrap;
      overflow-wrap: anywhere; }
figure { margin: 1rem 0; overflow-x: auto; } figcaption { color: #555; font-size: .92rem; }
svg { max-width: 100%; height: auto; }
@media (max-width: 66rem) { th, td { padding: .3rem .45rem; } table { font-size: .88rem; } }
@media (max-width: 44rem) {
  table, tbody, tr, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  tr { border-bottom: 2px solid #bbb; padding: .5rem 0; }
  td, td.number { border: 0; padding: .1rem 0 .1rem 8rem; text-align: left; white-space: normal;
                  display: flow-root; overflow-wrap: anywhere; }
  td:empty { display: none; }
  svg.broad { max-width: 40rem; }
  td::before { content: attr(data-head); float: left; width: 7.4rem; margin-left: -8rem; color: #555; }
}
"""

_BREAKS = re.compile(r"(?<=\S)[(,=](?=\S)")  # where a player's text may go on in the next line


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
    heads = [html.escape(head.strip()) for head in block.heads]
    classes = [" class=number" if number else "" for number in numbers]
    top = "".join(
        f'<th role="columnheader"{kind}>{head}</th>'
        for head, kind in zip(heads, classes, strict=True)
    )
    starts = [
        f'<td role="cell"{kind} data-head="{head}">'
        for head, kind in zip(heads, classes, strict=True)
    ]
    body = "\n".join(
        '<tr role="row">'
        + "".join(f"{start}{_lines(text)}</td>" for start, text in zip(starts, row, strict=True))
        + "</tr>"
        for row in block.rows
    )
    # Roles are said: a table that is shown as cards is one for screen readers still.
    return (
        f'<div class="wide"><table role="table">\n<thead><tr role="row">{top}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _lines(text: str) -> str:
    """A cell's text, with places at which long words may be broken."""
    return "<br>".join(_BREAKS.sub(r"\g<0><wbr>", html.escape(line)) for line in text.split("\n"))


def _markdown_grid(block: Grid) -> str:
    rule = ["---:" if head.endswith("\t") else "---" for head in block.heads]
    rows = [[head.strip() for head in block.heads], rule, *map(list, block.rows)]
    return "\n".join("| " + " | ".join(_in_cell(text) for text in row) + " |" for row in rows)


def _in_cell(text: str) -> str:
    return (
        text
        if set(text) <= set("-:") and text
        else _plain(text).replace("|", "\\|").replace("\n", "<br>")
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
