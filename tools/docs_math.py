"""A MkDocs hook: formulas between dollar signs become MathML, which browsers draw without scripts."""

from __future__ import annotations

import html
import re
from typing import Any

from latex2mathml.converter import convert

# What the extension pymdownx.arithmatex leaves of $...$ and $$...$$.
_FORMULA = re.compile(
    r'<span class="arithmatex">\\\((?P<line>.*?)\\\)</span>'
    r'|<div class="arithmatex">\s*\\\[(?P<block>.*?)\\\]\s*</div>',
    re.DOTALL,
)


def on_page_content(body: str, **_: Any) -> str:
    """MkDocs calls this with each page's body."""
    return _FORMULA.sub(_mathml, body)


def _mathml(match: re.Match[str]) -> str:
    block = match["block"] is not None
    tex = html.unescape(match["block"] if block else match["line"])
    return str(convert(tex, display="block" if block else "inline"))
