# SPDX-License-Identifier: BSD-3-Clause
"""The heat map: its cells hold the traffic, in the order that was asked for, and matplotlib draws them."""

import unittest
from importlib.util import find_spec

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
        self.assertRaises(ValueError, heatmap.cells, self.traffic, [0])

    def test_empty(self):
        """no traffic: cells of 0"""
        self.assertEqual(heatmap.cells(reseat.Traffic(2, {})), [[0, 0], [0, 0]])

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


if __name__ == "__main__":
    tap.main()
