# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python module share: unittest with results in TAP, the command, a profile with everything."""

import os
import subprocess
import sys
import unittest

COMMAND = os.environ.get("RESEAT_COMMAND", "reseat")

PROFILE = """# reseat profile 1
# ranks: 8
# program: ./a\\x1b[31m
# mpi: some
# sizes: by powers of two
# not_seen: MPI-IO
# not_seen: spawned
# seconds: 12.5
""" + "".join(f"# seat: {rank} node{rank // 4} 0 -1 0 {rank % 4} {rank % 4} {rank}\n" for rank in range(8)) + """\
""" + "".join(f"# mpi_seconds: {rank} 0 1.25 3\n# mpi_seconds: {rank} 2 0.000001 2.5\n" for rank in range(8)) + """\
# mpi_sampled: 0.004
# mpi_calls: allreduce 4000 0.75 1.5
# mpi_calls: p2p 18446744073709551615 0 0.25
# domain 0 function=MPI_COMM_WORLD parent=- size=8 first=0 ordinal=0 members=all
# p2p
0\t1\t3\t3000\t1000.0
0\t4\t2\t2000000\t1000000.0
1\t0\t7\t12\t1.7
# sizes 5 2, 2 10
3\t3\t1\t5\t5.0
5\t2\t18446744073709551615\t18446744073709\t0.0
# coll
0\t4\t1\t100\t100.0
6\t7\t9\t0\t0.0
# p2p phase=2
0\t1\t4\t40\t10.0
2\t6\t1\t77\t77.0
# osc phase=2
7\t0\t2\t64\t32.0
# a remark
# domain 1 function=MPI_Cart_create parent=0 size=5 first=7 ordinal=0 members=7,0-2,5
# p2p
0\t1\t5\t500\t100.0
4\t0\t6\t600\t100.0
# domain 2 function=MPI_Graph_create parent=1 size=2 first=3 ordinal=1 members=3,0
# p2p phase=2
0\t1\t8\t8888\t1111.0
# domain 3 function=MPI_Dist_graph_create parent=0 size=8 first=0 ordinal=0 members=all
# end 13
"""


def write_profile(text=PROFILE, path="test.reseat"):
    """Write a profile, as str or bytes; returns its path."""
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def run(*arguments):
    """What the command prints; an error fails the test."""
    done = subprocess.run([COMMAND, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False, timeout=60)
    if done.returncode:
        raise AssertionError(f"{arguments}: status {done.returncode}: {done.stderr!r}")
    return done.stdout.decode()


def table_of(*arguments):
    """The lines of `key<TAB>value` that the command prints, as a dictionary."""
    return dict(line.split("\t", 1) for line in run(*arguments).splitlines() if "\t" in line)


class TapResult(unittest.TestResult):
    """Prints each result as it comes."""

    def say(self, test, is_good, remark="", details=""):
        print(f"{'ok' if is_good else 'not ok'} - {test.shortDescription() or test.id()}{remark}")
        for line in details.splitlines():
            print("#", line)

    def addSuccess(self, test):
        self.say(test, True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.say(test, False, details=self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        if hasattr(test, "shortDescription"):
            self.say(test, False, details=self.errors[-1][1])

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err:
            self.say(subtest, False, details=(self.failures + self.errors)[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say(test, True, f" # SKIP {reason}")


def main():
    """Run the tests of the script; the exit status says whether all have passed."""
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = suite.run(TapResult())
    sys.exit(0 if result.testsRun and result.wasSuccessful() else 1)
