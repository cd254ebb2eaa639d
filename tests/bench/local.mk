# SPDX-License-Identifier: BSD-3-Clause
# benchmarks: `make bench` prints TSV; with Scotch where configure found it
bench_programs = tests/bench/bench tests/bench/dense tests/bench/history tests/bench/profile
if HAVE_SCOTCH
tests_bench_bench_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_SCOTCH=1
tests_bench_bench_LDADD = libtmap-scotch-core.la $(LDADD)
tests_bench_dense_CPPFLAGS = $(AM_CPPFLAGS) -DHAVE_SCOTCH=1
tests_bench_dense_LDADD = libtmap-scotch-core.la $(LDADD)
endif
EXTRA_DIST += \
	tests/bench/collectives.sh \
	tests/bench/compare.sh \
	tests/bench/contention.sh \
	tests/bench/empty.c \
	tests/bench/families.sh \
	tests/bench/job.sh \
	tests/bench/large.sh \
	tests/bench/launch.sh \
	tests/bench/mapping.sh \
	tests/bench/month.c \
	tests/bench/month.sh \
	tests/bench/network-cluster.sh \
	tests/bench/network.sh \
	tests/bench/overhead.sh \
	tests/bench/papers \
	tests/bench/pingpong.c \
	tests/bench/placement.sh \
	tests/bench/plot.awk \
	tests/bench/programs.sh \
	tests/bench/reorder.sh \
	tests/bench/scatter.awk \
	tests/bench/seconds.sh \
	tests/bench/self.c \
	tests/bench/sends.c \
	tests/bench/simgrid.sh \
	tests/bench/simulate.sh \
	tests/bench/start.c
bench: all $(bench_programs)
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/mapping.sh bench
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/network.sh bench
	bash $(srcdir)/tests/bench/large.sh bench
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/contention.sh bench
	bash $(srcdir)/tests/bench/simulate.sh bench
	bash $(srcdir)/tests/bench/compare.sh bench
	tests/bench/profile | tee bench/profile.tsv | sed 's/^/# /'
	tests/bench/history | tee bench/history.tsv | sed 's/^/# /'
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/overhead.sh bench
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/bench/reorder.sh bench
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/job.sh bench
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/programs.sh bench
	srcdir=$(srcdir) bash $(srcdir)/tests/bench/launch.sh bench
	srcdir=$(srcdir) bash $(srcdir)/tests/bench/placement.sh bench
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/network-cluster.sh bench
clean-local:
	rm -rf bench fuzz html
# what auto gains and costs in 40 batch jobs (doc/design/0016): seven minutes
bench-month: all
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/month.sh bench
# what the model of seconds is worth: half an hour of jobs on a cluster
bench-seconds: all
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/seconds.sh bench
# the model of seconds against SimGrid (doc/at-scale.md): 64 ranks in ten minutes, 256 in an hour (NODES=64)
bench-simgrid: all
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) bash $(srcdir)/tests/bench/simgrid.sh bench $(NODES)
.PHONY: bench bench-simgrid bench-month bench-seconds
