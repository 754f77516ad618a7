"""Papers by name. The registry is open: a file of yours registers a paper the way ours are.

register_paper("me2026", PAPER)         or, loaded when it is asked for: "my.module:PAPER"
"""

from __future__ import annotations

from importlib import import_module

from manyminds.core.errors import UsageError, nearest
from manyminds.papers.paper import Paper

_papers: dict[str, tuple[Paper | str, str]] = {}


def register_paper(name: str, paper: Paper | str, help: str = "") -> None:  # noqa: A002 - as in `register`
    """Make a paper known: itself, or where it is, as "module:NAME". `help` is one line."""
    if isinstance(paper, Paper) and paper.name != name:
        raise UsageError(f'the paper "{paper.name}" cannot register as "{name}"')
    _papers[name] = (paper, help or (paper.citation if isinstance(paper, Paper) else ""))


def known_papers() -> dict[str, str]:
    """Every paper's name with its one line."""
    return {name: line for name, (_, line) in sorted(_papers.items())}


def known_campaigns() -> dict[str, str]:
    """Every table and figure of every paper, as it stands behind `manyminds reproduce`, with its title."""
    return {
        f"{name} --{table.kind} {table.name}": table.title
        for name in known_papers()
        for table in paper_named(name).tables
    }


def paper_named(name: str) -> Paper:
    """The paper of this name."""
    if name not in _papers:
        raise UsageError(f'there is no paper "{name[:60]}"; {nearest(name, _papers)}')
    paper = _papers[name][0]
    if isinstance(paper, str):
        module, _, attribute = paper.partition(":")
        paper = getattr(import_module(module), attribute)
    assert isinstance(paper, Paper)
    return paper
