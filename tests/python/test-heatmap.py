# SPDX-License-Identifier: BSD-3-Clause
"""The heat map: its cells hold the traffic, in the order that was asked for, and matplotlib draws them."""

import math
import sys
import types
import unittest
from importlib.util import find_spec
from unittest import mock

import tap

import reseat
from reseat import heatmap


class Heatmap(unittest.TestCase):
    def setUp(self):
        self.traffic = reseat.read_profile(tap.write_profile()).traffic()

    def test_cells(self):
        """cells are the matrix, or sums of it"""
        self.assertEqual(heatmap.cells(self.traffic), self.traffic.to_lists())
        table = heatmap.cells(self.traffic, most=3)
        self.assertEqual([len(row) for row in table], [3, 3, 3])
        self.assertEqual(sum(map(sum, table)), self.traffic.total())
        self.assertEqual(table[0][1], self.traffic.to_lists()[0][4])
        self.assertRaises(ValueError, heatmap.cells, self.traffic, most=0)

    def test_order(self):
        """ranks are in the order of their slots"""
        backwards = heatmap.cells(self.traffic, [7, 6, 5, 4, 3, 2, 1, 0])
        self.assertEqual([row[::-1] for row in backwards[::-1]], self.traffic.to_lists())
        for slot_of in ([0], list(range(9))):
            self.assertRaises(ValueError, heatmap.cells, self.traffic, slot_of)
        # Ranks that share a slot keep their order.
        shared = heatmap.cells(self.traffic, [0, 0, 0, 0, 1, 1, 1, 1])
        self.assertEqual(shared, self.traffic.to_lists())

    def test_empty(self):
        """no traffic: cells of 0"""
        self.assertEqual(heatmap.cells(reseat.Traffic(2, {})), [[0, 0], [0, 0]])

    def test_svg(self):
        """as SVG: well-formed, a cell for each pair, colors by their logarithms, ranks, a scale"""
        from xml.etree import ElementTree
        text = heatmap.to_svg(reseat.Traffic(16, {(0, 1): 5, (0, 2): 5, (3, 0): 500}), title="a < b", unit="messages")
        rects = [one.attrib for one in ElementTree.fromstring(text).iter("{http://www.w3.org/2000/svg}rect")]
        cells = [(one["x"], one["y"], one["width"], one["fill"]) for one in rects
                 if "x" in one and one["height"] == "1"]
        self.assertEqual(cells, [("1", "0", "2", "#fee838"), ("0", "3", "1", "#00224e")])
        for word in ("a &lt; b", ">15<", "sending rank", ">5<", ">500 messages<"):
            self.assertIn(word, text)
        self.assertEqual(len(ElementTree.fromstring(heatmap.to_svg(reseat.Traffic(4, {})))), 8)
        ring = reseat.Traffic(4096, {(rank, (rank + 64) % 4096): 1 for rank in range(4096)})
        self.assertLess(len(heatmap.to_svg(ring)), 20000)

    def test_draw(self):
        """drawn, or one line that says what is missing"""
        if find_spec("matplotlib") is None:
            self.assertRaisesRegex(ImportError, r"\Areseat.heatmap.draw needs matplotlib: .*\Z", heatmap.draw,
                                   self.traffic)
            return
        for name, traffic in (("heat", self.traffic), ("empty", reseat.Traffic(3, {})),
                              ("one", reseat.Traffic(3, {(0, 1): 5}))):
            heatmap.draw(traffic, range(traffic.ranks), title="traffic").savefig(f"{name}.png")
            with open(f"{name}.png", "rb") as file:
                self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")


def pretended_matplotlib(is_old):
    """What draw() uses of matplotlib, as modules that record calls; before 3.5 a figure knew no `layout`."""
    class Figure:
        def __init__(self, **options):
            if is_old and "layout" in options:
                raise TypeError("__init__() got an unexpected keyword argument 'layout'")
            if not is_old and "constrained_layout" in options:
                raise TypeError("__init__() got an unexpected keyword argument 'constrained_layout'")
            self.options = options
            self.axes = mock.Mock(figure=self)
            self.colorbar = mock.Mock()

        def subplots(self):
            return self.axes

    modules = {name: types.ModuleType(name) for name in ("matplotlib", "matplotlib.colors", "matplotlib.figure")}
    modules["matplotlib.colors"].LogNorm = lambda least, most: ("log", least, most)
    modules["matplotlib.figure"].Figure = Figure
    return mock.patch.dict(sys.modules, modules)


class Drawing(unittest.TestCase):
    def test_releases(self):
        """room for labels with matplotlib of any age"""
        for is_old, option in ((False, ("layout", "constrained")), (True, ("constrained_layout", True))):
            with self.subTest(option[0]), pretended_matplotlib(is_old):
                figure = heatmap.draw(reseat.Traffic(3, {(0, 1): 5}))
                self.assertEqual(figure.options, dict([option, ("figsize", (6.4, 5.4))]))

    def test_missing(self):
        """without matplotlib, one line says what to install"""
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.colors": None}):
            with self.assertRaisesRegex(ImportError, r"\Areseat.heatmap.draw needs matplotlib: .*\Z") as caught:
                heatmap.draw(reseat.Traffic(2, {}))
        self.assertEqual(caught.exception.name, "matplotlib")

    def test_axes(self):
        """axes of the caller's are drawn on, and no figure is made"""
        axes = mock.Mock()
        with pretended_matplotlib(is_old=False):
            del sys.modules["matplotlib.figure"].Figure.subplots
            self.assertIs(heatmap.draw(reseat.Traffic(3, {(0, 1): 5}), axes=axes), axes.figure)
        axes.imshow.assert_called_once()

    def test_range(self):
        """colors span at least a factor of two, also without traffic, and where all cells are the same"""
        for pairs, expected in (({}, (0.5, 1)), ({(0, 1): 5}, (2.5, 5)), ({(0, 1): 100, (1, 2): 99}, (50, 100)),
                                ({(0, 1): 1, (1, 2): 50}, (1, 50))):
            with self.subTest(pairs), pretended_matplotlib(is_old=False):
                axes = heatmap.draw(reseat.Traffic(3, pairs)).axes
                self.assertEqual(axes.imshow.call_args[1]["norm"], ("log", *expected))

    def test_defaults(self):
        """labels where nothing else is said, and up to 512 cells a side"""
        with pretended_matplotlib(is_old=False):
            axes = heatmap.draw(reseat.Traffic(513, {(0, 512): 5})).axes
        (table,), options = axes.imshow.call_args
        self.assertEqual((len(table), options["extent"]), (257, (-0.5, 513.5, 513.5, -0.5)))
        self.assertEqual(axes.set.call_args[1], {"xlabel": "receiving rank", "ylabel": "sending rank", "title": ""})
        self.assertEqual(axes.figure.colorbar.call_args[1]["label"], "bytes")

    def test_image(self):
        """what matplotlib is given: cells, none where there is no traffic, colors by their logarithms, ranks, labels"""
        with pretended_matplotlib(is_old=False):
            axes = heatmap.draw(reseat.Traffic(3, {(0, 1): 5, (2, 0): 7}), [2, 1, 0], most=2, unit="messages",
                                title="halo").axes
        (table,), options = axes.imshow.call_args
        self.assertEqual([[cell if not math.isnan(cell) else None for cell in row] for row in table],
                         [[None, 7], [5, None]])
        self.assertEqual(options, {"norm": ("log", 3.5, 7), "extent": (-0.5, 3.5, 3.5, -0.5), "cmap": "cividis_r",
                                   "interpolation": "nearest"})
        self.assertEqual(axes.set.call_args[1], {"xlabel": "receiving rank, numbered in the order of the slots",
                                                 "ylabel": "sending rank, numbered in the order of the slots",
                                                 "title": "halo"})
        axes.figure.colorbar.assert_called_once_with(axes.imshow.return_value, ax=axes, label="messages")


if __name__ == "__main__":
    tap.main()
