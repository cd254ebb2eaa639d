# SPDX-License-Identifier: BSD-3-Clause
# A recipe for Spack 1.0 and newer: put it into packages/reseat/ of a repository of your own (`spack repo create`).
#
# Checked: Spack 0.23 loads it, and `spack audit packages` finds nothing, with the import below taken from where that
# release has AutotoolsPackage. Not checked: concretization and an installation, for which there was no clingo here.
# The sum of the tarball goes into version() when it is published: `make dist` gives the same bytes from each clone.
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage

from spack.package import *


class Reseat(AutotoolsPackage):
    """Reseat runs an unmodified MPI program once and records which ranks
    communicate, and how much; in the next runs it puts processes that
    communicate a lot close together on the machine that the job has got."""

    homepage = "https://reseat.example/"
    url = "https://reseat.example/reseat-0.1.0.tar.gz"

    license("BSD-3-Clause")

    version("0.1.0")

    variant("mpi", default=True, description="Record and reorder jobs of the MPI; else mapping and reports only")
    variant("cairo", default=False, description="Pictures as PNG")
    variant("scotch", default=False, description="Scotch as a mapping method, to compare with")
    variant("python", default=True, description="The Python module")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2:")
    # Found by its wrapper; one installation of Reseat serves the MPI that it was built with.
    depends_on("mpi", when="+mpi")
    depends_on("cairo+png", when="+cairo")
    depends_on("scotch", when="+scotch")
    depends_on("python@3.8:", type=("build", "run"), when="+python")
    depends_on("cmocka@1.1:", type="test")

    conflicts("platform=darwin", msg="LD_PRELOAD and /proc are needed")
    conflicts("platform=windows", msg="LD_PRELOAD and /proc are needed")

    def configure_args(self):
        args = ["--without-modulefile"]
        args += self.with_or_without("cairo")
        args += self.with_or_without("scotch")
        args += self.with_or_without("python")
        if self.spec.satisfies("+mpi"):
            args.append(f"--with-mpi={self.spec['mpi'].mpicc}")
        else:
            args.append("--with-mpi=no")
        return args

    def check(self):
        """Only the unit tests: mpirun may not work where a package is built."""
        with working_dir(self.build_directory):
            units = make("-s", "print-unit-tests", output=str).strip()
            make("check", "TEST_QUICK=20", f"TESTS={units}")

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            version = self.spec["python"].version.up_to(2)
            env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, f"python{version}", "site-packages"))
