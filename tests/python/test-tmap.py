# SPDX-License-Identifier: BSD-3-Clause
"""libtmap by ctypes: the costs and mappings of `reseat map`, and what the library refuses as exceptions."""

import gc
import os
import re
import shutil
import subprocess
import sys
import unittest

import tap

import reseat
from reseat import _libtmap, tmap

TREE = "node:2 package:2 core:2"


class Libtmap(unittest.TestCase):
    def setUp(self):
        self.profile = reseat.read_profile(tap.write_profile(
            tap.PROFILE.replace("18446744073709551615\t18446744073709\t0.0", "9\t1000000\t111111.1")))
        self.matrix = tmap.Matrix.from_traffic(self.profile.traffic())
        self.tree = tmap.Tree(TREE)

    def test_costs(self):
        """cost, hops and mapping are those of `reseat map`, for each metric and method"""
        names = [name for name, _ in tmap.methods()]
        self.assertIn("multilevel", names)
        for metric in reseat.profile.METRICS:
            matrix = tmap.Matrix.from_traffic(self.profile.traffic(metric, directed=False))
            for name in names:
                if name == "scotch":
                    continue
                with self.subTest(f"{name}, {metric}"):
                    said = tap.table_of("map", "test.reseat", "--tree", TREE, "--metric", metric,
                                        "--method", name, "--tsv", "--output", "mapping")
                    slot_of = tmap.find_mapping(matrix, self.tree, method=name)
                    with open("mapping", encoding="ascii") as file:
                        written = [int(line.split()[1]) for line in file if line[0] != "#"]
                    cost = tmap.evaluate(matrix, self.tree, slot_of)
                    self.assertEqual(written, slot_of)
                    self.assertEqual((cost.cost, cost.hops), (float(said["cost"]), int(said["hops"])))
                    identity = tmap.evaluate(matrix, self.tree, range(8)).cost
                    self.assertEqual(identity, float(said["identity_cost"]))
                    self.assertEqual(sum(cost.weight_at), matrix.total())
                    self.assertEqual(sum(cost.pairs_at), len(matrix))
                    self.assertAlmostEqual(sum(cost.cost_at), cost.cost)

    def test_phase(self):
        """a phase costs what `reseat map --phase` says"""
        matrix = tmap.Matrix.from_traffic(self.profile.traffic(phase=2))
        said = tap.table_of("map", "test.reseat", "--phase", "2", "--tree", TREE, "--tsv", "--output",
                            "mapping")
        self.assertEqual(tmap.evaluate(matrix, self.tree, tmap.find_mapping(matrix, self.tree)).cost,
                         float(said["cost"]))

    def test_layouts(self):
        """layouts are those of `reseat map --layout`"""
        for layout in ("nsc", "csn", "scn", "c:1,0:ns"):
            tap.run("map", "--layout", layout, "--ranks", "8", "--tree", TREE, "--output", "mapping")
            with open("mapping", encoding="ascii") as file:
                written = [int(line.split()[1]) for line in file if line[0] != "#"]
            self.assertEqual(tmap.lay_out(self.tree, layout, 8), written)
        self.assertEqual(tmap.lay_out(self.tree, "nsc", 0), [])

    def test_matrix(self):
        """the matrix is symmetric and without its diagonal"""
        matrix = tmap.Matrix(4, [(0, 1, 5), (1, 0, 6), (2, 2, 9), (3, 1, 2**61)])
        self.assertEqual((matrix.roles, len(matrix), matrix.total()), (4, 2, 2**61 + 11))
        self.assertEqual(list(matrix.partners(1)), [(0, 11), (3, 2**61)])
        self.assertEqual(list(matrix.partners(2)), [])
        for role in (-1, 4):
            self.assertRaises(IndexError, list, matrix.partners(role))

    def test_tree(self):
        """trees: levels, distances, hops, costs, paths, capacities"""
        tree = self.tree
        self.assertEqual((tree.depth, tree.slots, tree.capacity, tree.objects(1)), (3, 8, 8, 2))
        self.assertEqual(tree.levels()[1], ("package", tmap.default_cost("node")))
        self.assertEqual([tree.hops(0, slot) for slot in range(8)], [0, 2, 4, 4, 6, 6, 6, 6])
        self.assertEqual([tree.common_level(0, slot) for slot in (0, 1, 2, 4)], [3, 2, 1, 0])
        self.assertEqual(tree.ancestor(5, 1), 1)
        other = tree.with_costs([100, 10, 1])
        self.assertEqual(list(other.distances()[0]), [0, 1, 10, 10, 100, 100, 100, 100])
        ring = tmap.Tree("ring:8")
        self.assertEqual([ring.hops(0, slot) for slot in range(8)], [0, 1, 2, 3, 4, 3, 2, 1])
        uneven, slot_of = tmap.Tree.from_paths([(7, 1), (7, 0), (2, 5)], capacity=[1, 2, 3],
                                               levels=[("node", 9), ("core", 1)])
        self.assertEqual((slot_of, uneven.capacity, uneven.slot_capacity(1)), ([2, 1, 0], 6, 2))
        self.assertEqual(tmap.Tree.uniform([2, 3], [("node", 5), ("core", 2)]).distance(0, 3), 5)

    def test_mappings(self):
        """pinned roles, closed slots, kept roles, loads of links"""
        matrix, tree = self.matrix, self.tree
        slot_of = tmap.find_mapping(matrix, tmap.Tree("node:4 core:4"), pinned=[9] + [-1] * 7,
                                    closed=[slot < 4 for slot in range(16)], seed=2**64 - 1, threads=2)
        self.assertEqual(slot_of[0], 9)
        self.assertNotEqual(*(tmap.find_mapping(matrix, tree, method="random", seed=seed) for seed in (1, 2)))
        self.assertGreaterEqual(min(slot_of), 4)
        found = tmap.find_mapping(matrix, tree, effort="strong")
        kept, is_there = tmap.keep_role(matrix, tree, found, 0, 0)
        self.assertEqual((kept[0], is_there), (0, True))
        self.assertEqual(tmap.evaluate(matrix, tree, kept).cost, tmap.evaluate(matrix, tree, found).cost)
        loads = tmap.link_loads(matrix, tree, found)
        self.assertEqual(sum(loads), 2 * tmap.evaluate(matrix, tree, found).weight_at[0])
        lower = tmap.lower_congestion(matrix, tree, list(range(8)))
        self.assertTrue(tmap.is_valid(tree, lower))
        self.assertFalse(tmap.is_valid(tree, [0] * 8))

    def test_grouping(self):
        """the threshold and the buckets of treematch are those of `reseat map`"""
        row = tmap.Matrix(6, [(role, role + 1, 10 + role % 2) for role in range(5)])
        tree = tmap.Tree("3 2")

        def cost(**options):
            return tmap.evaluate(row, tree, tmap.find_mapping(row, tree, method="treematch", **options)).cost

        self.assertEqual([cost(), cost(group_threshold=16), cost(group_threshold=15)], [148, 148, 164])
        self.assertEqual(cost(group_threshold=1, buckets=1), 164)
        for wrong in ({"group_threshold": -1}, {"buckets": 17}, {"buckets": 2**32}):
            self.assertRaises(tmap.TmapValueError, cost, **wrong)

    def test_structs(self):
        """structs have the members of tmap.h, in its order"""
        with open(os.environ["TMAP_HEADER"], encoding="utf-8") as file:
            header = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.DOTALL)
        for name in ("Error", "Entry", "Level", "Options", "Layout", "Cost"):
            body = re.search(rf"^struct tmap_{name.lower()} \{{(.*?)^\}};", header, re.DOTALL | re.MULTILINE).group(1)
            members = [re.sub(r"\[.*", "", one).strip(" *")
                       for line in body.split(";") if line.strip() for one in line.split(",")]
            self.assertEqual([field[0] for field in getattr(_libtmap, name)._fields_],
                             [member.split()[-1].lstrip("*") for member in members], name)

    def test_hardware(self):
        """trees from hwloc's descriptions"""
        tree = tmap.Tree.from_hardware("pack:2 core:4 pu:2", cores_only=True)
        self.assertEqual(([level.name for level in tree.levels()], tree.slots), (["package", "core"], 8))
        self.assertRaises(tmap.TmapError, tmap.Tree.from_hardware, "/none.xml")

    def test_refusals(self):
        """what the library refuses is an exception with its line, and nothing is cut off on the way"""
        matrix, tree = self.matrix, self.tree
        for make in (lambda: tmap.Tree("node:x"), lambda: tmap.Tree(""), lambda: tmap.Tree("2\0 3"),
                     lambda: tmap.Tree.uniform([]), lambda: tmap.Tree.uniform([2**32 + 2]),
                     lambda: tmap.Tree.from_paths([]), lambda: tmap.Tree.from_paths([(0, 1), (0,)]),
                     lambda: tmap.Tree.from_paths([(0, 1), (0, 1)]), lambda: tree.with_costs([1]),
                     lambda: tmap.Matrix(2, [(0, 2, 1)]), lambda: tmap.Matrix(2, [(0, 1, -1)]),
                     lambda: tmap.Matrix(2, [(0, 2**32 + 1, 1)]), lambda: tmap.Matrix(-1, []),
                     lambda: tmap.find_mapping(matrix, tree, method="none"),
                     lambda: tmap.find_mapping(matrix, tree, effort="much"),
                     lambda: tmap.find_mapping(matrix, tree, pinned=[0]),
                     lambda: tmap.find_mapping(matrix, tree, pinned=[-1] * 9),
                     lambda: tmap.Tree.from_paths([(0,), (1,)], capacity=[1, 1, 1]),
                     lambda: tmap.find_mapping(matrix, tree, seed=2**64),
                     lambda: tmap.lay_out(tree, "nsc", 2**31),
                     lambda: tmap.find_mapping(matrix, tree, closed=[True]),
                     lambda: tmap.evaluate(matrix, tree, range(7)), lambda: tmap.evaluate(matrix, tree, [0] * 8),
                     lambda: tmap.evaluate(matrix, tree, range(2**32, 2**32 + 8)),
                     lambda: tmap.lay_out(tree, "q", 8), lambda: tmap.lay_out(tree, "nsc", -1),
                     lambda: tree.distance(0, 8), lambda: tree.distance(-1, 0),
                     lambda: tmap.link_loads(matrix, tree, range(8), 4)):
            with self.assertRaisesRegex(tmap.TmapValueError, r"\A.+\Z"):
                make()
        with self.assertRaises(tmap.TmapError) as caught:
            tmap.find_mapping(matrix, tmap.Tree("2 2"))
        self.assertEqual(caught.exception.status, 5)
        self.assertNotIsInstance(caught.exception, ValueError)
        self.assertRaises(TypeError, tmap.Matrix, 2, [(0, 1.5, 1)])
        with self.assertRaises(tmap.TmapError):
            tmap.Matrix(2, [(0, 1, 2**63)])

    def test_objects(self):
        """objects may go in any order"""
        for _ in range(50):
            tree = tmap.Tree("4 4").with_costs([3, 1])
            levels = tree.levels()
            del tree
            gc.collect()
            self.assertEqual(levels[0].cost, 3)

    def test_library_missing(self):
        """where there is no libtmap, profiles are read and one line says what is missing"""
        os.makedirs("elsewhere/1/2/3")
        shutil.copytree(os.path.dirname(reseat.__file__), "elsewhere/1/2/3/reseat")
        script = ("import reseat\n"
                  "from reseat import _libtmap, tmap\n"
                  "_libtmap.SONAME_NUMBER = 99\n"
                  "print(reseat.read_profile('test.reseat').ranks)\n"
                  "try:\n"
                  "    tmap.Tree('2 2')\n"
                  "except ImportError as error:\n"
                  "    print(error)\n")
        environment = dict(os.environ, PYTHONPATH="elsewhere/1/2/3")
        done = subprocess.run([sys.executable, "-c", script], env=environment, stdout=subprocess.PIPE, check=True)
        self.assertRegex(done.stdout.decode(), r"\A8\nlibtmap cannot be loaded .*LD_LIBRARY_PATH\n\Z")


if __name__ == "__main__":
    tap.main()
