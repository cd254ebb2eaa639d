# SPDX-License-Identifier: BSD-3-Clause
"""Who talks to whom, as a map of cells: numbers without any library, a picture with matplotlib."""

from __future__ import annotations

from typing import List, Optional, Sequence

from reseat.profile import Traffic

MOST_CELLS = 512


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
    busiest = max((cell for row in table for cell in row), default=0)
    least = min((cell for row in table for cell in row if cell), default=1)
    shown = [[float(cell) if cell else float("nan") for cell in row] for row in table]
    per_cell = max(1, -(-traffic.ranks // most))
    edges = (-0.5, per_cell * len(table) - 0.5)  # the last cell may have fewer ranks than the others
    image = axes.imshow(shown, cmap="cividis_r", norm=LogNorm(min(least, max(busiest, 1) / 2), max(busiest, 1)),
                        interpolation="nearest", extent=(*edges, *edges[::-1]))
    what = "rank" if slot_of is None else "rank, numbered in the order of the slots"
    axes.set(xlabel=f"receiving {what}", ylabel=f"sending {what}", title=title or "")
    axes.figure.colorbar(image, ax=axes, label=unit)
    return axes.figure


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
