# SPDX-License-Identifier: BSD-3-Clause
"""The communication matrix as a map of cells: numbers, and SVG, without any library, a picture with matplotlib."""

from __future__ import annotations

import math
from html import escape
from typing import List, Optional, Sequence, Tuple

from reseat.profile import Traffic

MOST_CELLS = 512
_MOST_SVG_CELLS = 64
_CIVIDIS = ((254, 232, 56), (188, 175, 111), (125, 124, 120), (65, 77, 107), (0, 34, 78))  # from light to dark


def cells(traffic: Traffic, slot_of: Optional[Sequence[int]] = None, most: int = MOST_CELLS) -> List[List[int]]:
    """The matrix, sender by row, in `most` cells a side or less, each the sum of what its ranks exchange.

    slot_of: a mapping; ranks are then in the order of their slots, and otherwise in launch order.
    """
    if most < 1:
        raise ValueError("a map has at least one cell")
    place_of = _places(traffic.ranks, slot_of)
    per_cell = max(1, -(-traffic.ranks // most))
    side = -(-traffic.ranks // per_cell)
    table = [[0] * side for _ in range(side)]
    for source, target, weight in traffic:
        table[place_of[source] // per_cell][place_of[target] // per_cell] += weight
    return table


def draw(traffic: Traffic, slot_of: Optional[Sequence[int]] = None, *, title: Optional[str] = None,
         unit: str = "bytes", most: int = MOST_CELLS, axes=None):
    """Draw the map in logarithmic colors, which people who are color-blind can tell apart. Needs matplotlib.

    Returns the figure (of `axes`, if these are given, else a new one): `draw(traffic).savefig("heat.png")`. No window
    is opened, and pyplot is not used.
    """
    try:
        from matplotlib.colors import LogNorm
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ImportError("reseat.heatmap.draw needs matplotlib: install python3-matplotlib (Debian) or "
                          "pip install matplotlib", name="matplotlib") from error
    table = cells(traffic, slot_of, most)
    if axes is None:
        axes = _new_figure(Figure).subplots()
    shown = [[float(cell) if cell else float("nan") for cell in row] for row in table]
    per_cell = max(1, -(-traffic.ranks // most))
    edges = (-0.5, per_cell * len(table) - 0.5)  # the last cell may have fewer ranks than the others
    image = axes.imshow(shown, cmap="cividis_r", norm=LogNorm(*_scale(table)), interpolation="nearest",
                        extent=(*edges, *edges[::-1]))
    what = _axis(slot_of)
    axes.set(xlabel=f"receiving {what}", ylabel=f"sending {what}", title=title or "")
    axes.figure.colorbar(image, ax=axes, label=unit)
    return axes.figure


def to_svg(traffic: Traffic, slot_of: Optional[Sequence[int]] = None, *, title: Optional[str] = None,
           unit: str = "bytes", most: int = _MOST_SVG_CELLS, pixels: int = 320) -> str:
    """The map of `draw` as text: SVG, for a page or a notebook. The square of the cells is `pixels` wide."""
    table = cells(traffic, slot_of, most)
    low, high = _scale(table)
    side, margin, line = len(table), 24, 18
    width, height = pixels + 2 * margin, pixels + 2 * margin + 2 * line
    what = _axis(slot_of)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" role="img" font-family="sans-serif" font-size="12" fill="currentColor">',
             f"<title>{escape(title or 'who sends to whom')}</title>",
             f'<g transform="translate({margin} {margin}) scale({pixels / max(side, 1):g})" '
             'shape-rendering="crispEdges">',
             f'<rect width="{side}" height="{side}" fill="#fff"/>']
    for row, values in enumerate(table):
        for first, count, color in _runs(values, low, high):
            parts.append(f'<rect x="{first}" y="{row}" width="{count}" height="1" fill="{color}"/>')
    below = margin + pixels
    parts += ["</g>", f'<rect x="{margin}" y="{margin}" width="{pixels}" height="{pixels}" fill="none" '
              'stroke="currentColor" stroke-opacity="0.4"/>',
              f'<text x="{margin}" y="{margin - 8}">{escape(title or "")}</text>',
              f'<text x="{margin}" y="{below + 16}">0</text>',
              f'<text x="{margin + pixels / 2:g}" y="{below + 16}" text-anchor="middle">receiving {what}</text>',
              f'<text x="{margin + pixels}" y="{below + 16}" text-anchor="end">{traffic.ranks - 1}</text>',
              f'<text transform="translate({margin - 8} {margin + pixels / 2:g}) rotate(-90)" text-anchor="middle">'
              f"sending {what}</text>"]
    if any(cell for values in table for cell in values):
        parts += _legend(margin, below + line + 8, pixels, low, high, unit)
    return "".join(parts) + "</svg>"


def _runs(values: Sequence[int], low: float, high: float) -> List[Tuple[int, int, str]]:
    """First cell, number and color of neighboring cells of the same color; not of those with nothing."""
    runs: List[Tuple[int, int, str]] = []
    for at, value in enumerate(values):
        if not value:
            continue
        color = _color((math.log(value) - math.log(low)) / (math.log(high) - math.log(low)))
        if runs and runs[-1][0] + runs[-1][1] == at and runs[-1][2] == color:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1, color)
        else:
            runs.append((at, 1, color))
    return runs


def _color(share: float) -> str:
    """On the scale, from 0 to 1, in 16 steps."""
    at = min(max(round(share * 16), 0), 16) / 16 * (len(_CIVIDIS) - 1)
    here = min(int(at), len(_CIVIDIS) - 2)
    red, green, blue = (round(a + (b - a) * (at - here)) for a, b in zip(_CIVIDIS[here], _CIVIDIS[here + 1]))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _legend(left: float, top: float, width: float, low: float, high: float, unit: str) -> List[str]:
    steps = 16
    parts = [f'<rect x="{left + i * width / (steps + 1):.1f}" y="{top}" width="{width / (steps + 1) + 0.5:.1f}" '
             f'height="8" fill="{_color(i / steps)}"/>' for i in range(steps + 1)]
    text = f'y="{top + 21}"'
    return parts + [f'<text x="{left}" {text}>{low:.4g}</text>',
                    f'<text x="{left + width}" {text} text-anchor="end">{high:.4g} {escape(unit)}</text>']


def _axis(slot_of: Optional[Sequence[int]]) -> str:
    return "rank" if slot_of is None else "rank, numbered in the order of the slots"


def _scale(table: Sequence[Sequence[int]]) -> Tuple[float, float]:
    """The ends of a logarithmic scale for these cells: at least a factor of two."""
    busiest = max((cell for row in table for cell in row), default=0)
    least = min((cell for row in table for cell in row if cell), default=1)
    return min(least, max(busiest, 1) / 2), max(busiest, 1)


def _new_figure(figure_class):
    """A figure that leaves room for labels; matplotlib before 3.5 names the layout in another way."""
    size = (6.4, 5.4)
    try:
        return figure_class(figsize=size, layout="constrained")
    except TypeError:
        return figure_class(figsize=size, constrained_layout=True)


def _places(ranks: int, slot_of: Optional[Sequence[int]]) -> List[int]:
    """Which row of the matrix a rank gets."""
    if slot_of is None:
        return list(range(ranks))
    if len(slot_of) != ranks:
        raise ValueError(f"a mapping of {len(slot_of)} ranks for traffic of {ranks}")
    place_of = [0] * ranks
    for place, rank in enumerate(sorted(range(ranks), key=lambda rank: (slot_of[rank], rank))):
        place_of[rank] = place
    return place_of
