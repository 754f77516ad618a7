"""How a learnt set is shown: as a page in HTML with its Markdown twin, and as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from manyminds.arena.document import (
    Block,
    Bullets,
    Grid,
    Heading,
    Listing,
    Paragraph,
    Pictures,
    to_html,
    to_markdown,
)
from manyminds.arena.learning.agent_set import AgentSet
from manyminds.arena.learning.course import Step, Tally
from manyminds.arena.learning.learnt import Learnt
from manyminds.arena.plots import Series, Spot, curves, rows_of_spots
from manyminds.arena.report import check_name, write_whole
from manyminds.arena.statistics import Interval, wilson

_MOST_STEPS = 400  # lines of the table of steps
_LONGEST = 120  # characters of a set in a table


def write_page(learnt: Learnt, page: Path) -> Path:
    """Write the page and its Markdown twin; the page's path."""
    path = check_name(page)
    title = learnt.title or "A learnt agent database"
    blocks = list(_blocks(learnt))
    write_whole(path, to_html(title, blocks))
    write_whole(path.with_suffix(".md"), to_markdown(title, blocks))
    return path


def text_of(learnt: Learnt) -> str:
    """What was learnt, as plain text."""
    lines = [_what(learnt)]
    if learnt.chosen is None:
        return "\n".join([*lines, f"Nothing is chosen yet: the run was {learnt.ending}."])
    shares = learnt.chosen.shares()
    lines += [f"  {100 * share:5.1f} %  {name}" for name, share in shares.items()]
    return "\n".join([*lines, *_numbers(learnt)])


def _what(learnt: Learnt) -> str:
    return (
        f"{learnt.learner['name']} over {learnt.candidates} agents, {learnt.games:,} games, "
        f"budget {learnt.budget} a decision, seed {learnt.seed}"
    )


def _numbers(learnt: Learnt) -> Iterator[str]:
    """Both numbers, the biased one first, and what the set's own agents do."""
    if learnt.first is not None:
        yield f"in the games it was chosen by: {percent(learnt.first)}, biased upwards by the choice"
    if learnt.fresh is not None:
        yield f"in fresh games: {percent(learnt.fresh)}"
    for name, interval in learnt.alone.items():
        yield f"  {name} alone: {percent(interval)}"
    if learnt.against_best is not None:
        yield f"against {learnt.best_member}, the best of them: {percent(learnt.against_best)}"


def percent(share: Interval) -> str:
    """'54.1 ± 2.2 % (n = 2000)'."""
    return f"{share.scaled(100.0).text().partition(' (')[0]} % (n = {share.n})"


def _blocks(learnt: Learnt) -> Iterator[Block]:
    yield Paragraph(f"{_what(learnt)}. Player {learnt.player}, against {learnt.against}.")
    if learnt.chosen is None:
        yield Paragraph(f"Nothing is chosen yet: the run was {learnt.ending}.")
        return
    yield Heading("The chosen agents")
    shares = learnt.chosen.shares()
    yield Grid(
        ("agent", "weight\t", "drawn\t"),
        tuple((n, str(w), f"{100 * shares[n]:.1f} %") for n, w in learnt.chosen.weights),
    )
    yield Heading("How strong it is")
    yield Bullets(tuple(text.strip() for text in _numbers(learnt)))
    yield from _spots(learnt)
    yield from _curve(learnt)
    yield Heading("The steps")
    yield Grid(("games\t", "tried", "wins\t", "then chosen", ""), tuple(_lines(learnt)))
    yield Heading("How to read this")
    yield Bullets(
        (
            "± is the half of a 95 % interval (Wilson's).",
            (
                "A set that is chosen because it did well in some games did well there by luck too: "
                "only the fresh games say how good it is."
            ),
            "Played by " + ", ".join(f"{k} {v}" for k, v in learnt.versions.items()) + ".",
        )
    )
    yield Listing(f"manyminds campaign report {Path(learnt.store).name} -o games.html")


def _spots(learnt: Learnt) -> Iterator[Block]:
    rows = [("chosen by", learnt.first), ("fresh", learnt.fresh), *learnt.alone.items()]
    if learnt.best_member:
        rows.append((f"v {learnt.best_member}", learnt.against_best))
    found = [(name, [_spot(interval)]) for name, interval in rows if interval is not None]
    yield Pictures((rows_of_spots("Share of wins", found, across="wins, %"),), "95 % intervals.")


def _spot(interval: Interval) -> Spot:
    each = interval.scaled(100.0)
    return Spot("share", each.estimate, each.low, each.high)


def _curve(learnt: Learnt) -> Iterator[Block]:
    """The learning curve: the chosen set's share as it was known then, and every set that was tried."""
    series = [_series("chosen", list(_standing(learnt.steps)))]
    alone = [
        (step.games, next(iter(step.tried.values())))
        for step in learnt.steps
        if len(step.tried) == 1
    ]
    series.append(_series("tried", alone))
    series = [each for each in series if each.x]
    if series:
        drawing = curves("Learning", series, across="games", up="wins, %", width=640, settled=True)
        yield Pictures((drawing,), "Shares as measured when they were looked at.")


def _standing(steps: tuple[Step, ...]) -> Iterator[tuple[int, Tally]]:
    known: dict[str, Tally] = {}
    for step in steps:
        known.update(step.tried)
        if str(step.chosen) in known:
            yield step.games, known[str(step.chosen)]


def _series(name: str, points: Sequence[tuple[int, Tally]]) -> Series:
    found = [(games, wilson(t.score, t.games).scaled(100.0)) for games, t in points]
    return Series(
        name,
        tuple(float(games) for games, _ in found),
        tuple(each.estimate for _, each in found),
        tuple(each.low for _, each in found),
        tuple(each.high for _, each in found),
    )


def _lines(learnt: Learnt) -> Iterator[tuple[str, ...]]:
    for step in learnt.steps[:_MOST_STEPS]:
        text, tally = max(step.tried.items(), key=lambda item: (item[1].games, item[0]))
        others = f" and {len(step.tried) - 1} more" if len(step.tried) > 1 else ""
        share = percent(tally.interval())
        yield (f"{step.games:,}", _short(text) + others, share, _short(str(step.chosen)), step.note)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{len(AgentSet.parse(text))} agents"
