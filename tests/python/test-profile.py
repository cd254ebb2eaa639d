# SPDX-License-Identifier: BSD-3-Clause
"""Profiles: their numbers are those of the command, and what the command refuses is refused, at the same line."""

import json
import os
import random
import re
import subprocess
import tracemalloc
import unittest
from importlib.util import find_spec
from unittest import mock

import tap

import reseat


def by_command(path):
    """None, or LINE of the `FILE:LINE: reason` with which the command refuses a profile; 0 if it names no line."""
    done = subprocess.run([tap.COMMAND, "convert", "--from", "profile", "--to", "plain", "-o", "converted", path],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                          check=False)
    if done.returncode == 0:
        return None
    found = re.search(rb":([0-9]+): ", done.stderr)
    return int(found.group(1)) if found else 0


def by_module(path):
    """The same of the module."""
    try:
        reseat.read_profile(path)
    except reseat.ProfileError as error:
        found = re.search(r":([0-9]+): ", str(error))
        return int(found.group(1)) if found else 0
    return None


def plain(text):
    """Source and target, messages and bytes of a plain matrix."""
    rows = [tuple(map(int, line.split())) for line in text.splitlines()[1:]]
    return {row[:2]: row[2:] for row in rows}


class Showing(unittest.TestCase):
    def setUp(self):
        self.profile = reseat.read_profile(tap.write_profile())

    def test_version(self):
        """the version is that of the command"""
        self.assertEqual(tap.run("--version").split()[1], reseat.__version__)

    def test_repr(self):
        """a line for each object, however large it is"""
        world = self.profile.communicators[0]
        shown = self.profile, self.profile.traffic("msg", phase=2), world, world.rows[0]
        self.assertEqual([repr(one) for one in shown],
                         ["<reseat.Profile 'test.reseat': 8 ranks, 18446746086995 bytes>",
                          "<reseat.Traffic: 8 ranks, 4 pairs, 15 in all>",
                          "<reseat.Communicator 0: MPI_COMM_WORLD, 8 ranks>", "<reseat.Rows: p2p, phase 0, 5 pairs>"])

    def test_notebook(self):
        """what a notebook shows: what ran, without what a terminal or a page would obey, and the map"""
        text = self.profile._repr_html_()
        self.assertTrue(text.startswith("<p>./a?[31m: 8 ranks on 2 nodes</p><svg "), text[:80])
        self.assertTrue(text.endswith("</svg>"))
        evil = reseat.read_profile(tap.write_profile(tap.PROFILE.replace("./a\\x1b[31m", "<script>"), "evil.reseat"))
        self.assertNotIn("<script>", evil._repr_html_())
        self.assertIn("<svg ", self.profile.traffic()._repr_html_())


class Reporting(unittest.TestCase):
    TREE = "node:2 core:4"
    TEXT = tap.PROFILE.replace("18446744073709551615\t18446744073709\t0.0", "7\t70\t10.0")

    def test_numbers(self):
        """a report has the numbers of --json, of the object and of its path, with the same options"""
        path = tap.write_profile(self.TEXT)
        by_command = json.loads(tap.run("report", "--json", "-", "--tree", self.TREE, "--metric", "msg", path))
        for profile in (path, reseat.read_profile(path)):
            self.assertEqual(reseat.report(profile, tree=self.TREE, metric="msg", layout=None), by_command)
        self.assertEqual(repr(reseat.report(path, tree=self.TREE, metric="msg")),
                         f"<reseat.Report: {by_command['verdict']['sentence']}>")

    def test_change(self):
        """two profiles, and a generator's text"""
        one, other = tap.write_profile(self.TEXT), tap.write_profile(self.TEXT, "-other.reseat")
        change = reseat.report(one, other, tree=self.TREE)
        self.assertEqual((change["reseat_change"], repr(change)), (1, f"<reseat.Report: {change['sentence']}>"))
        self.assertEqual(reseat.report("stencil3d:2x2x2", tree=self.TREE)["profile"]["ranks"], 8)

    def test_refusals(self):
        """what the command refuses is raised with its line, and so is a command that is not there"""
        for options, line in (({}, "reseat report: none.reseat: No such file or directory"),
                              ({"out_put": 1}, "reseat report: there is no option --out-put=1")):
            with self.assertRaises(reseat.CommandError) as raised:
                reseat.report("none.reseat", **options)
            self.assertIn(line, str(raised.exception))
        with mock.patch("reseat._report._find_command", return_value=None):
            self.assertRaisesRegex(reseat.CommandError, "into PATH$", reseat.report, "any")


class Reading(unittest.TestCase):
    def setUp(self):
        self.profile = reseat.read_profile(tap.write_profile())

    def test_headers(self):
        """headers, seats and times are those of the file"""
        profile = self.profile
        self.assertEqual(profile.ranks, 8)
        self.assertEqual(profile.header("program"), "./a\x1b[31m")
        self.assertEqual([value for key, value in profile.headers if key == "not_seen"], ["MPI-IO", "spawned"])
        self.assertEqual(profile.header("none", "other"), "other")
        self.assertEqual(profile.seconds, 12.5)
        self.assertEqual(profile.seats[5], ("node1", 0, -1, 0, 1, 1, 5))
        self.assertEqual(profile.times[3], (1, 2, 0.000001, 2.5))
        self.assertEqual(profile.sampling_error, 0.004)
        self.assertEqual(profile.calls, [("allreduce", 4000, 0.75, 1.5), ("p2p", 2**64 - 1, 0, 0.25)])
        self.assertEqual(profile.phases(), [0, 2])

    def test_communicators(self):
        """communicators have members, and ranks of the world"""
        world, cart, graph, _ = self.profile.communicators
        self.assertEqual((world.parent, cart.parent, graph.function, graph.ordinal), (None, 0, "MPI_Graph_create", 1))
        self.assertEqual([cart.rank_in_parent(rank) for rank in range(5)], [7, 0, 1, 2, 5])
        self.assertEqual([self.profile.rank_in(2, 0, rank) for rank in range(2)], [2, 7])
        self.assertIsNone(self.profile.rank_in(3, 1, 0))
        for rank in (-1, 5):
            self.assertRaises(IndexError, cart.rank_in_parent, rank)

    def test_traffic(self):
        """the traffic is what the command makes of it"""
        expected = plain(tap.run("convert", "--from", "profile", "--to", "plain", "test.reseat"))
        for metric, at in (("msg", 0), ("size", 1)):
            found = {(source, target): weight for source, target, weight in self.profile.traffic(metric)}
            self.assertEqual(found, {pair: row[at] for pair, row in expected.items()})

    def test_sizes(self):
        """messages by size are those of the report; without the header they are not known"""
        text = tap.PROFILE.replace("5\t2\t18446744073709551615\t18446744073709\t0.0", "5\t2\t9\t4\t0.4")
        profile = reseat.read_profile(tap.write_profile(text, "sized.reseat"))
        table = tap.table_of("report", "--tree", "node:8", "--tsv", "sized.reseat")
        for kind in ("coll", "osc", "p2p"):
            found = profile.message_sizes(kind)
            expected = {int(key.split("_")[1]): float(value) for key, value in table.items()
                        if re.fullmatch(f"size_[0-9]+_{kind}", key) and float(value)}
            self.assertEqual({least: messages for least, (messages, _) in found.items()}, expected)
        self.assertEqual(profile.message_sizes("p2p")[4], (3, 15))
        self.assertEqual(profile.communicators[0].rows[0].sizes, {2: [(5, 2), (2, 10)]})
        path = tap.write_profile(tap.PROFILE.replace("# sizes: by powers of two\n", ""), "old.reseat")
        self.assertIsNone(reseat.read_profile(path).message_sizes())

    def test_parts(self):
        """traffic by kind, phase and communicator"""
        traffic = self.profile.traffic
        self.assertEqual(list(traffic(kinds="coll")), [(0, 4, 100), (6, 7, 0)])
        self.assertEqual(list(traffic(phase=2)), [(0, 1, 40), (2, 6, 77), (2, 7, 8888), (7, 0, 64)])
        self.assertEqual(list(traffic(kinds=["osc"], phase=0)), [])
        self.assertEqual(list(traffic(communicator=1)), [(0, 1, 500), (3, 0, 8888), (4, 0, 600)])
        self.assertEqual(list(traffic(communicator=1, below=False)), [(0, 1, 500), (4, 0, 600)])
        self.assertEqual(list(traffic("avg", kinds="p2p", phase=0, below=False))[:3],
                         [(0, 1, 1000), (0, 4, 1000000), (1, 0, 2)])
        self.assertEqual(list(traffic("avg", kinds="p2p", phase=0, below=False, directed=False))[0], (0, 1, 301))
        self.assertEqual(traffic(kinds="coll").to_lists()[0], [0, 0, 0, 0, 100, 0, 0, 0])
        for wrong in ({"metric": "bytes"}, {"kinds": "rma"}):
            self.assertRaises(ValueError, traffic, **wrong)
        self.assertRaises(IndexError, traffic, communicator=4)

    def test_chain(self):
        """in a long chain of communicators each rank is translated to the next one once"""
        depth, size = 300, 8
        for members, most in (([range(1, 8), range(1)], depth * size), ([range(8)], 0)):
            chain = []
            for number in range(depth):
                rows = reseat.Rows("p2p", 0)
                for column, value in ((rows.source, 0), (rows.target, 7), (rows.messages, 1), (rows.bytes, number)):
                    column.append(value)
                chain.append(reseat.Communicator(number, "MPI_Cart_create", number - 1 if number else None, size, 0, 0,
                                                 members if number else [range(size)], [rows]))
            profile = reseat.Profile("chain", size, [], [], None, [], chain)
            for above in (0, 7):
                expected = {}
                for number in range(above, depth):
                    pair = tuple(profile.rank_in(number, above, rank) for rank in (0, 7))
                    expected[pair] = expected.get(pair, 0) + number
                with mock.patch.object(reseat.Communicator, "rank_in_parent", autospec=True,
                                       side_effect=reseat.Communicator.rank_in_parent) as translated:
                    traffic = profile.traffic(communicator=above)
                self.assertEqual({pair[:2]: pair[2] for pair in traffic}, expected)
                self.assertLessEqual(translated.call_count, most)

    def test_tables(self):
        """arrays of numpy and tables of pandas, or a line that says what is missing"""
        traffic = self.profile.traffic()
        for module, make in (("numpy", traffic.to_numpy), ("pandas", self.profile.to_pandas)):
            if find_spec(module) is None:
                self.assertRaisesRegex(ImportError, f"needs {module}: install", make)
        if find_spec("numpy"):
            self.assertEqual(traffic.to_numpy().tolist(), traffic.to_lists())
        if find_spec("pandas"):
            table = self.profile.to_pandas()
            self.assertEqual(len(table), 13)
            self.assertEqual(list(table.groupby("kind")["bytes"].sum()[["coll", "osc"]]), [100, 64])


class Refusing(unittest.TestCase):
    def refused(self, path):
        """Like by_module; the exception is one line without control characters."""
        with self.assertRaises(reseat.ProfileError) as caught:
            reseat.read_profile(path)
        self.assertRegex(str(caught.exception), r"\A[\x20-\x7e]+\Z")
        return by_module(path)

    def test_torn(self):
        """a profile that is cut anywhere is refused"""
        whole = tap.PROFILE.encode()
        for length in range(len(whole)):
            self.refused(tap.write_profile(whole[:length]))

    def test_missing(self):
        """a file that is not there, is a folder or has no end"""
        self.assertRaises(FileNotFoundError, reseat.read_profile, "none.reseat")
        self.assertRaises(IsADirectoryError, reseat.read_profile, os.curdir)
        self.refused("/dev/zero")
        self.refused("/dev/null")

    def test_hostile(self):
        """what contradicts itself is refused at the line where the command does"""
        changes = [
            ("# ranks: 8", "# ranks: 16777217"), ("# ranks: 8", "# ranks: 99999999999999999999999"),
            ("# ranks: 8", "# ranks: 8\n# ranks: 8"), ("# ranks: 8", "# ranks: \u0668"), ("profile 1", "profile 2"),
            ("mpi: some", "mpi: \x1b[2J"), ("mpi: some", "mpi: \x85"), ("mpi: some", "mpi: \\x00"),
            ("mpi: some", "mpi: a\0b"), ("node0", "-node"), ("node0", "a;b"), ("node0", "n" * 256),
            ("seat: 1", "seat: 2"), ("seat: 7 node1 0 -1", "seat: 7 node1 0 -2"), ("seconds: 12.5", "seconds: 1e9"),
            ("seconds: 12.5", "seconds: 4"), ("seconds: 12.5", "seconds: 1.1234567"), ("7 2 0.0", "7 64 0.0"),
            ("0 1.25 3", "0 1.25 1"), ("members=all", "members=0-7"), ("size=8", "size=9"),
            ("members=7,0-2,5", "members=7,0-2,2"), ("members=7,0-2,5", "members=7,0-2,8"),
            ("members=7,0-2,5", "members=7,0-16777215"), ("members=7,0-2,5", "members=7,0-2"),
            ("members=7,0-2,5", "members=7,0-2,5,6"), ("first=7", "first=6"), ("parent=1", "parent=2"),
            ("domain 2", "domain 3"), ("size=5", "size=0"), ("phase=2", "phase=64"), ("# osc phase=2", "# osc"),
            ("# coll", "# p2p"), ("# coll\n", "# coll\n# coll\n"), ("0\t1\t3", "1\t0\t3"), ("0\t4\t2", "0\t1\t2"),
            ("0\t1\t3\t", "0\t8\t3\t"), ("0\t1\t3\t", "0\t1\t0\t"),
            ("1000.0", "999.0"), ("18446744073709551615", "18446744073709551616"), ("0\t1\t3\t", "0\t1\t-3\t"),
            ("# end 13", "# end 12"), ("# end 13\n", "# end 13\n# more\n"), ("# a remark", ""), ("# a remark", "#"),
            ("function=MPI_Cart_create", "function=" + "F" * 64),
            ("# seat: 7 node1 0 -1 0 3 3 7\n", ""), ("node1 0 -1 0 3 3 7", "node1 0 -1 0 3 3"),
            ("node1 0 -1 0 3 3 7", "node1 0 -1 0 3 3 7 7"), ("mpi_seconds: 0 2 ", "mpi_seconds: 0 0 "),
            ("# mpi_seconds: 7 0 1.25 3\n# mpi_seconds: 7 2 0.000001 2.5\n", ""),
            ("# mpi_sampled: 0.004", "# mpi_sampled: 0\n# mpi_sampled: 0"), ("mpi_seconds: 7 2", "mpi_sampled: 7 2"),
            ("mpi_calls: p2p", "mpi_calls: allreduce"), ("mpi_calls: p2p", "mpi_calls: P2P"),
            ("0.75 1.5\n", "0.75 0.5\n"), ("# sizes 5 2, ", "# x\n# sizes 5 2, "),
            ("sizes 5 2, 2 10", "sizes 5 2, 2 11"),
            ("sizes 5 2, 2 10", "sizes 2 10, 5 2"), ("sizes 5 2, 2 10", "sizes 5 2"), ("sizes 5 2,", "sizes 5 2, "),
            ("sizes 5 2, 2 10", "sizes 5 2, 2 10, "), ("sizes 5 2", "sizes 0 0, 5 2"),
            ("mpi_calls: p2p", "mpi_calls: " + "p" * 32), ("4000 0.75 1.5", "4000 0.75 1.5 2"),
            ("# mpi_calls: p2p", "# mpi_calls: x 1 0 0\n" * 2 + "# mpi_calls: p2p"),
            ("# mpi_calls: p2p", "".join(f"# mpi_calls: k{i} 1 0 0\n" for i in range(63)) + "# mpi_calls: p2p"),
            ("members=7,0-2,5", "members=7,0-3,5"), ("0\t1\t3\t", "8\t1\t3\t"), ("node0", "fe80::g"),
            ("node0", "fe80::1%eth0"),
            ("parent=0 size=5", "size=5 parent=0"), ("domain 1 ", "domain 1"), ("parent=- ", "parent=-1 "),
        ]
        # A number with something behind it.
        changes += [(number, number + junk) for junk in ("x", "\xff", ".0", ",", "-")
                    for number in ("# ranks: 8", "# seat: 1", "node1 0 -1 0 2 2 6", "# seconds: 12.5",
                                   "# mpi_seconds: 7", "# mpi_seconds: 7 2", "0.000001 2.5", "mpi_sampled: 0.004",
                                   "allreduce 4000", "allreduce 4000 0.75", "allreduce 4000 0.75 1.5",
                                   "domain 1", "parent=1", "size=5", "first=7",
                                   "ordinal=1", "members=7", "members=7,0-2", "# p2p phase=2", "0\t1", "0\t1\t3",
                                   "0\t1\t3\t3000", "0\t1\t3\t3000\t1000.0", "# end 13")]
        for old, new in changes:
            with self.subTest(f"{old!r} -> {new!r}"):
                self.assertIn(old, tap.PROFILE)
                path = tap.write_profile(tap.PROFILE.replace(old, new, 1))
                self.assertEqual(self.refused(path), by_command(path))

    def test_unusual(self):
        """what is unusual and right is read, as the command reads it"""
        for old, new in (("members=7,0-2,5", "members=7,0-2,3"), ("node0", "fe80::1"), ("node0", "10.0.0.1"),
                         ("node0", "n" * 255), ("# a remark", "# \xe4"), ("seconds: 12.5", "seconds: 1000000000"),
                         ("# reseat profile", "\ufeff# reseat profile")):
            with self.subTest(f"{old!r} -> {new!r}"):
                self.assertIn(old, tap.PROFILE)
                path = tap.write_profile(tap.PROFILE.replace(old, new))
                self.assertIsNone(by_command(path))
                self.assertIsNone(by_module(path))

    def test_memory(self):
        """a line of very many pieces takes a few times its own size, not what all its pieces take"""
        for place, piece in (("first=7 ordinal=0 members=", "10,"), ("0\t1\t3\t", "10\t"), ("seat: 7 ", "10 "),
                             ("mpi_seconds: 7 ", "10 "), ("mpi_calls: p2p ", "10 "), ("# sizes ", "1 1, "),
                             ("node0", "10:")):
            with self.subTest(place):
                self.assertIn(place, tap.PROFILE)
                path = tap.write_profile(tap.PROFILE.replace(place, place + 100000 * piece, 1))
                tracemalloc.start()
                self.refused(path)
                peak = tracemalloc.get_traced_memory()[1]
                tracemalloc.stop()
                self.assertLess(peak, 10 * os.path.getsize(path))

    def test_file_name(self):
        """a file name with control characters is escaped in the error"""
        self.refused(tap.write_profile("no profile\n", "a\nb\x1b[2J\t.reseat"))

    def test_mutations(self):
        """a changed byte or line: the module refuses what the command refuses, and nothing else"""
        chance, whole, refusals = random.Random(19), tap.PROFILE.encode(), 0
        for _ in range(120):
            changed = bytearray(whole)
            at = chance.randrange(len(changed))
            if chance.random() < 0.3:
                lines = whole.splitlines(keepends=True)
                lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))
                changed = b"".join(lines)
            else:
                changed[at:at + chance.randrange(2)] = chance.choice(
                    [b"0", b"9", b" ", b"-", b"\t", b"\n", b"\r", b"\xff", b"\xc2\x85", b"", b".", b":"])
            path = tap.write_profile(bytes(changed))
            expected = by_command(path)
            refusals += expected is not None
            self.assertEqual(by_module(path), expected, bytes(changed).decode("utf-8", "backslashreplace"))
        self.assertGreater(refusals, 20)


if __name__ == "__main__":
    tap.main()
