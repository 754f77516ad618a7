"""A position's text drawing as an image: what `render_mode="rgb_array"` gives."""

from __future__ import annotations

import numpy as np

from manyminds.core.errors import MissingExtra

_POINTS_A_LINE, _MARGIN, _DOTS = 16, 12, 72  # sizes in points; dots an inch


def image_of(text: str, size: tuple[int, int] | None = None) -> np.ndarray:
    """`uint8[height, width, 3]`, dark on white. size: (lines, columns) that there is room for."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("bridges", "drawing") from error
    lines, columns = size or extent(text)
    wide = columns * _POINTS_A_LINE * 0.6 + 2 * _MARGIN
    high = lines * _POINTS_A_LINE * 1.2 + 2 * _MARGIN
    figure = Figure(figsize=(wide / _DOTS, high / _DOTS), dpi=_DOTS, facecolor="white")
    canvas = FigureCanvasAgg(figure)
    figure.text(
        _MARGIN / wide,
        1 - _MARGIN / high,
        text.replace("$", r"\$"),
        family="DejaVu Sans Mono",
        size=_POINTS_A_LINE,
        linespacing=1.0,
        verticalalignment="top",
    )
    canvas.draw()
    return np.array(canvas.buffer_rgba())[:, :, :3].copy()


def extent(text: str) -> tuple[int, int]:
    """Lines, and columns of the widest."""
    lines = text.splitlines() or [""]
    return len(lines), max(max(len(line) for line in lines), 1)
