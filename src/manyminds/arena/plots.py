"""Plots as SVG text, by ourselves: a report is one file, and needs nothing installed to be made or read.

Two kinds: curves with bands (a mean over games, strength against budget), and rows of points with
intervals. Colours are told apart by colour-blind readers, and every series is named in the picture.
"""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Iterator, Sequence

import msgspec

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#444444")
_GREY, _LIGHT = "#666", "#ddd"
_FONT = "font-family='system-ui, sans-serif' font-size='12'"
_LETTER = 6.6  # px, the width of a letter of that size, on average


class Series(msgspec.Struct, frozen=True):
    """A named curve. low and high, where given, are its band; `marks`: draw the points themselves."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    marks: bool = False


class Spot(msgspec.Struct, frozen=True):
    """One point of a row: its interval, and what somebody else published for it."""

    series: str
    at: float
    low: float
    high: float
    published: float | None = None


def curves(
    title: str,
    series: Sequence[Series],
    *,
    across: str,
    up: str,
    logarithmic: bool = False,
    settled: bool = False,
    width: int = 420,
    height: int = 260,
) -> str:
    """Curves over one axis, their bands behind them and their names to the right.

    settled: the first quarter of the curves has no say in the picture's height: bands begin wide.
    """
    xs = [x for line in series for x in line.x]
    ys = [y for line in series for y in _heights(line, max(xs) / 4 if settled else -math.inf)]
    if not xs:
        return _page(width, 40, [_text(10, 24, f"{title}: no games yet")])
    right = width - 12 - _LETTER * max(len(line.name) for line in series)
    axis_x = _Axis(xs, 52, max(right, 150), logarithmic)
    axis_y = _Axis(ys, height - 42, 30)
    parts = [_text(52, 16, title, weight="bold")]
    parts += _frame(axis_x, axis_y, across, up)
    for colour, line in zip(_cycle(), series, strict=False):
        parts += _curve(line, colour, axis_x, axis_y)
    parts += _names(series, axis_x, axis_y)
    return _page(width, height, parts)


def _heights(line: Series, begin: float) -> Iterator[float]:
    """What the picture must have room for, from `begin` on."""
    for edge in (line.y, line.low, line.high):
        yield from (
            y for x, y in zip(line.x, edge, strict=False) if x >= begin and math.isfinite(y)
        )


def rows_of_spots(title: str, rows: Sequence[tuple[str, Sequence[Spot]]], *, across: str) -> str:
    """A row per label: each spot a dot with its interval; a hollow diamond where something was published."""
    spots = [spot for _, row in rows for spot in row]
    names = list(dict.fromkeys(spot.series for spot in spots))
    colour = dict(zip(names, _cycle(), strict=False))
    line = 15 * max(1, len(names))
    left = 24 + _LETTER * max((len(label) for label, _ in rows), default=0)
    width, bottom = int(left) + 460, 56 + (line + 10) * len(rows)
    if not spots:
        return _page(width, 40, [_text(10, 24, f"{title}: no games yet")])
    ends = [
        x for s in spots for x in (s.at, *_finite((s.low, s.high)), s.published) if x is not None
    ]
    axis = _Axis(ends, left, width - 20)
    parts = [_text(12, 16, title, weight="bold"), *_legend(names, colour, spots)]
    parts += _grid_across(axis, 48, bottom, across)
    for number, (label, row) in enumerate(rows):
        top = 52 + (line + 10) * number
        parts.append(_text(left - 10, top + line / 2 + 4, label, anchor="end"))
        for spot in row:
            y = top + 15 * names.index(spot.series) + 7
            parts += _spot(spot, axis, y, colour[spot.series])
    return _page(width, bottom + 40, parts)


# --- axes -----------------------------------------------------------------------------------------------


class _Axis:
    """Values to pixels: the least at `begin`, the greatest at `end`, with room at both."""

    def __init__(
        self, values: Sequence[float], begin: float, end: float, logarithmic: bool = False
    ) -> None:
        self.begin, self.end = begin, end
        self.apart = 70 if end > begin else 40  # px between ticks: texts lie along one axis only
        self.logarithmic = logarithmic and min(values) > 0
        self._scale: Callable[[float], float] = math.log10 if self.logarithmic else float
        low, high = self._scale(min(values)), self._scale(max(values))
        if high - low < 1e-9:
            low, high = low - 0.5, high + 0.5
        room = 0.04 * (high - low)
        self.low, self.high = low - room, high + room

    def __call__(self, value: float) -> float:
        part = (self._scale(value) - self.low) / (self.high - self.low)
        return self.begin + min(1.0, max(0.0, part)) * (self.end - self.begin)

    def ticks(self) -> list[float]:
        """Round values within the axis, about five of them."""
        if self.logarithmic:
            return self._powers()
        step = _round_step(
            (self.high - self.low) / max(2.0, abs(self.end - self.begin) / self.apart)
        )
        first = math.ceil(self.low / step)
        return [step * n for n in range(first, math.floor(self.high / step) + 1)]

    def _powers(self) -> list[float]:
        decades = range(math.floor(self.low), math.ceil(self.high) + 1)
        for factors in ((1,), (1, 3), (1, 2, 5)):
            found = [f * 10.0**d for d in decades for f in factors]
            found = [x for x in found if self.low <= math.log10(x) <= self.high]
            if len(found) >= 3:
                break
        return found


def _round_step(rough: float) -> float:
    size = 10.0 ** math.floor(math.log10(rough))
    return next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)


def _number(value: float) -> str:
    if value and (abs(value) >= 1e6 or abs(value) < 1e-4):
        return f"{value:.3g}"
    return f"{value:,.10g}" if abs(value) >= 1000 else f"{round(value, 6):g}"


# --- parts ----------------------------------------------------------------------------------------------


def _frame(axis_x: _Axis, axis_y: _Axis, across: str, up: str) -> Iterator[str]:
    yield from _grid_across(axis_x, axis_y.end, axis_y.begin, across)
    for tick in axis_y.ticks():
        y = axis_y(tick)
        yield _line(axis_x.begin, y, axis_x.end, y, _LIGHT)
        yield _text(axis_x.begin - 6, y + 4, _number(tick), anchor="end", colour=_GREY)
    yield _text(0, 0, up, colour=_GREY, turn=(13, (axis_y.begin + axis_y.end) / 2), anchor="middle")


def _grid_across(axis: _Axis, top: float, bottom: float, across: str) -> Iterator[str]:
    for tick in axis.ticks():
        x = axis(tick)
        yield _line(x, top, x, bottom, _LIGHT)
        yield _text(x, bottom + 16, _number(tick), anchor="middle", colour=_GREY)
    yield _line(axis.begin, bottom, axis.end, bottom, _GREY)
    yield _text((axis.begin + axis.end) / 2, bottom + 34, across, anchor="middle", colour=_GREY)


def _curve(line: Series, colour: str, axis_x: _Axis, axis_y: _Axis) -> Iterator[str]:
    """The band, the curve over it, and its marks."""
    band = [
        (x, low, high)
        for x, low, high in zip(line.x, line.low, line.high, strict=False)
        if math.isfinite(low) and math.isfinite(high)
    ]
    if len(band) > 1:
        edge = [(axis_x(x), axis_y(high)) for x, _, high in band]
        edge += [(axis_x(x), axis_y(low)) for x, low, _ in reversed(band)]
        yield f"<polygon points='{_points(edge)}' fill='{colour}' fill-opacity='0.15'/>"
    points = [(axis_x(x), axis_y(y)) for x, y in zip(line.x, line.y, strict=True)]
    yield f"<polyline points='{_points(points)}' fill='none' stroke='{colour}' stroke-width='1.8'/>"
    if line.marks:
        for x, low, high in band:
            yield _line(axis_x(x), axis_y(low), axis_x(x), axis_y(high), colour)
        for x, y in points:
            yield f"<circle cx='{x:.1f}' cy='{y:.1f}' r='3.5' fill='{colour}'/>"


def _names(series: Sequence[Series], axis_x: _Axis, axis_y: _Axis) -> Iterator[str]:
    """Each curve's name at its end, moved apart where ends lie together."""
    ends = sorted(
        (axis_y(line.y[-1]), line.name, colour)
        for colour, line in zip(_cycle(), series, strict=False)
        if line.y
    )
    below = -math.inf
    lowest = axis_y.begin - 14 * (len(ends) - 1)
    for number, (y, name, colour) in enumerate(ends):
        below = max(min(y, lowest + 14 * number), below + 14)
        yield _text(axis_x.end + 6, below + 4, name, colour=colour)


def _legend(names: Sequence[str], colour: dict[str, str], spots: Sequence[Spot]) -> Iterator[str]:
    x = 12.0
    for name in names:
        yield f"<circle cx='{x + 5}' cy='34' r='4' fill='{colour[name]}'/>"
        yield _text(x + 14, 38, name)
        x += 30 + _LETTER * len(name)
    if any(spot.published is not None for spot in spots):
        yield _diamond(x + 5, 34, _GREY)
        yield _text(x + 16, 38, "published")


def _spot(spot: Spot, axis: _Axis, y: float, colour: str) -> Iterator[str]:
    if math.isfinite(spot.low) and math.isfinite(spot.high):
        yield _line(axis(spot.low), y, axis(spot.high), y, colour, 1.8)
    yield f"<circle cx='{axis(spot.at):.1f}' cy='{y:.1f}' r='4' fill='{colour}'/>"
    if spot.published is not None:
        yield _diamond(axis(spot.published), y, colour)


def _diamond(x: float, y: float, colour: str) -> str:
    edge = [(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)]
    return f"<polygon points='{_points(edge)}' fill='none' stroke='{colour}' stroke-width='1.5'/>"


def _points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, wide: float = 1.0) -> str:
    ends = f"x1='{x1:.1f}' y1='{y1:.1f}' x2='{x2:.1f}' y2='{y2:.1f}'"
    return f"<line {ends} stroke='{colour}' stroke-width='{wide}'/>"


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    colour: str = "#222",
    weight: str = "normal",
    turn: tuple[float, float] | None = None,
) -> str:
    place = f"x='{x:.1f}' y='{y:.1f}'"
    if turn is not None:
        place = f"transform='translate({turn[0]:.1f} {turn[1]:.1f}) rotate(-90)'"
    style = f"text-anchor='{anchor}' fill='{colour}' font-weight='{weight}'"
    return f"<text {place} {style}>{html.escape(text)}</text>"


_BROAD = 600  # pixels from which on a picture's letters would be too small on a phone


def _page(width: float, height: float, parts: Sequence[str]) -> str:
    size = f"width='{width:.0f}' height='{height:.0f}' viewBox='0 0 {width:.0f} {height:.0f}'"
    broad = " class='broad'" if width > _BROAD else ""
    head = f"<svg xmlns='http://www.w3.org/2000/svg' role='img'{broad} {size} {_FONT}>"
    return "\n".join([head, *parts, "</svg>"])


def _finite(values: Sequence[float]) -> list[float]:
    return [value for value in values if math.isfinite(value)]


def _cycle() -> Iterator[str]:
    while True:
        yield from COLOURS
