# SPDX-License-Identifier: BSD-3-Clause
# tests
# Programs speak TAP (cmocka does), *.tap are shell scripts that do, *.sh say it with their exit status (77: skipped).
# `make check TESTS=...` builds the programs that it names and no others: they are not check_PROGRAMS, but what
# their .log files need.
TEST_EXTENSIONS = .tap .sh
TAP_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
LOG_DRIVER = $(TAP_LOG_DRIVER)
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	TEST_OPENMPI_CC='$(OPENMPI_CC)'; export TEST_OPENMPI_CC; \
	TEST_MPICH_CC='$(MPICH_CC)'; export TEST_MPICH_CC; \
	TEST_ABI_CC='$(ABI_CC)'; export TEST_ABI_CC; \
	TEST_PYTHON='$(PYTHON)'; export TEST_PYTHON; \
	VALGRIND='$(VALGRIND)'; export VALGRIND;
TESTS = $(unit_tests) $(fuzz_tests) $(test_scripts)
EXTRA_PROGRAMS = $(unit_tests) $(fuzz_tests) $(test_helpers) $(bench_programs)
EXTRA_LTLIBRARIES = libtests.la
CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LTLIBRARIES)
# What each program gets that says nothing else: of the libraries without MPI, and of what tests share, what it uses.
LDADD = libtests.la libreseat-history.la libreseat-regular.la libreseat-launcher.la libreseat-collectives.la libreseat-generate.la libreseat-recognize.la libreseat-simulate.la libreseat-predict.la libreseat-time-model.la \
	libreseat-draw.la libreseat-page.la libreseat-exchange.la libreseat-profile.la libreseat-network.la libreseat-timings.la libreseat-text.la \
	libtmap-hwloc-core.la libtmap-core.la libreseat-base.la $(CMOCKA_LIBS) -lm
libtests_la_SOURCES = \
	tests/bench/machines.c \
	tests/bench/machines.h \
	tests/fuzz/fuzz.h \
	tests/fuzz/standalone.c

# A unit test is tests/AREA/test-NAME.c and its line here. Only what needs more than that one source and the libraries
# above has lines of its own below.
unit_tests =
if HAVE_CMOCKA
unit_tests += \
	tests/base/test-array \
	tests/base/test-handles \
	tests/base/test-processors \
	tests/cmd/test-output \
	tests/collectives/test-algorithms \
	tests/collectives/test-choices-mpich \
	tests/collectives/test-choices-openmpi \
	tests/draw/test-chart \
	tests/draw/test-diagram \
	tests/draw/test-text \
	tests/exchange/test-exchange \
	tests/history/test-history \
	tests/network/test-card \
	tests/network/test-netloc \
	tests/network/test-networks \
	tests/text/test-printable \
	tests/profile/test-origin \
	tests/profile/test-profile \
	tests/profile/test-settings \
	tests/network/test-switches \
	tests/profile/test-profile-time \
	tests/timings/test-timings \
	tests/simulate/test-workload \
	tests/interpose/test-key-space-pmix \
	tests/page/test-page \
	tests/predict/test-local-ranks \
	tests/predict/test-prediction \
	tests/time-model/test-time-model \
	tests/predict/test-time-search \
	tests/predict/test-strategy \
	tests/recognize/test-recognize \
	tests/recognize/test-search-bounds \
	tests/regular/test-regular-layouts \
	tests/regular/test-regular-words \
	tests/profiler/test-run-info \
	tests/profiler/test-run-time \
	tests/programs/test-measure-plan \
	tests/programs/test-measure-rounds \
	tests/programs/test-replay-pairs \
	tests/reorder/test-decide \
	tests/reorder/test-explain \
	tests/simulate/test-contention \
	tests/simulate/test-exchanges \
	tests/simulate/test-queueing \
	tests/tmap/test-accelerators \
	tests/tmap/test-congestion \
	tests/tmap/test-constraints \
	tests/tmap/test-dense \
	tests/tmap/test-efforts \
	tests/tmap/test-growth \
	tests/tmap/test-grid \
	tests/tmap/test-grid-embedding \
	tests/tmap/test-hwloc \
	tests/tmap/test-layout \
	tests/tmap/test-loads \
	tests/tmap/test-memory \
	tests/tmap/test-methods \
	tests/tmap/test-multilevel \
	tests/tmap/test-nearby \
	tests/tmap/test-networks \
	tests/tmap/test-objects \
	tests/tmap/test-recursive \
	tests/tmap/test-scotch \
	tests/tmap/test-pulls \
	tests/tmap/test-shapes \
	tests/tmap/test-treematch \
	tests/tmap/test-wide
if HAVE_SCOTCH
tests_tmap_test_scotch_CPPFLAGS = $(AM_CPPFLAGS) $(SCOTCH_CPPFLAGS) -DHAVE_SCOTCH=1
tests_tmap_test_scotch_LDADD = libtmap-scotch-core.la $(LDADD)
else
tests_tmap_test_scotch_CPPFLAGS = $(AM_CPPFLAGS)
tests_tmap_test_scotch_LDADD = $(LDADD)
endif
if HAVE_MPICH
unit_tests += \
	tests/interpose/test-presence \
	tests/profiler/test-answers \
	tests/profiler/test-call-cache \
	tests/profiler/test-fetched \
	tests/profiler/test-relay \
	tests/profiler/test-traffic \
	tests/profiler/test-windows \
	tests/reorder/test-pattern \
	tests/reorder/test-reorder \
	tests/comm/test-rank-tree
endif
endif
tests_base_test_array_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_cmd_test_output_SOURCES = \
	tests/cmd/test-output.c \
	src/cmd/shell/options.c \
	src/cmd/shell/options.h \
	src/cmd/output/output-lines.c \
	src/cmd/output/output-varying.c \
	src/cmd/output/output.c \
	src/cmd/shell/spelling.c \
	src/cmd/shell/spelling.h \
	src/cmd/shell/terminal.c \
	src/cmd/shell/terminal.h
tests_collectives_test_choices_mpich_LDADD = libreseat-choices-mpich.la $(LDADD)
tests_collectives_test_choices_openmpi_LDADD = libreseat-choices-openmpi.la $(LDADD)
tests_profile_test_profile_LDFLAGS = \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=strdup
tests_network_test_netloc_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_network_test_networks_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_network_test_switches_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_timings_test_timings_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_simulate_test_workload_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_interpose_test_key_space_pmix_SOURCES = tests/interpose/test-key-space-pmix.c src/interpose/meeting/key-space-pmix.c
tests_interpose_test_key_space_pmix_CPPFLAGS = $(AM_CPPFLAGS) -Ddlsym=test_dlsym
tests_predict_test_prediction_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_predict_test_time_search_LDFLAGS = $(tests_profile_test_profile_LDFLAGS) \
	-Wl,--wrap=tmap_mapping_find -Wl,--wrap=time_model_estimate
tests_time_model_test_time_model_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
# Of what includes mpi.h: the functions of MPI that are called are the test's own, or those of ranks.c.
mpi_test_cppflags = $(base_cppflags) -I$(srcdir)/tests -I$(builddir)/mpich $(MPICH_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_interpose_test_presence_SOURCES = \
	tests/interpose/test-presence.c \
	tests/ranks.c \
	tests/ranks.h \
	src/interpose/meeting/presence.c
tests_interpose_test_presence_CPPFLAGS = $(mpi_test_cppflags)
tests_profiler_test_answers_SOURCES = \
	tests/profiler/test-answers.c \
	tests/profiler/groups.c \
	tests/profiler/groups.h \
	src/profiler/answers.c \
	src/profiler/collect.c \
	src/profiler/domain-index.c \
	src/profiler/profiler.c \
	src/profiler/run-time.c \
	src/profiler/traffic.c \
	src/profiler/unseen.c \
	src/profiler/windows.c
tests_profiler_test_answers_CPPFLAGS = $(mpi_test_cppflags)
tests_profiler_test_answers_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_profiler_test_call_cache_SOURCES = tests/profiler/test-call-cache.c src/profiler/call-cache.c src/profiler/tally.c
tests_profiler_test_call_cache_CPPFLAGS = $(mpi_test_cppflags)
tests_profiler_test_fetched_SOURCES = \
	tests/profiler/test-fetched.c \
	tests/profiler/groups.c \
	tests/profiler/groups.h \
	src/profiler/fetched.c \
	src/profiler/traffic.c \
	src/profiler/unseen.c
tests_profiler_test_fetched_CPPFLAGS = $(mpi_test_cppflags)
tests_profiler_test_relay_SOURCES = \
	tests/profiler/test-relay.c \
	tests/ranks.c \
	tests/ranks.h \
	src/profiler/relay.c \
	src/comm/rank-tree.c \
	src/comm/waiting.c
tests_profiler_test_relay_CPPFLAGS = $(mpi_test_cppflags)
tests_profiler_test_run_time_SOURCES = tests/profiler/test-run-time.c src/profiler/run-time.c
tests_profiler_test_run_info_SOURCES = tests/profiler/test-run-info.c src/profiler/run-info.c
tests_profiler_test_traffic_SOURCES = \
	tests/profiler/test-traffic.c \
	tests/profiler/groups.c \
	tests/profiler/groups.h \
	src/profiler/traffic.c \
	src/profiler/unseen.c
tests_profiler_test_windows_SOURCES = \
	tests/profiler/test-windows.c \
	tests/profiler/groups.c \
	tests/profiler/groups.h \
	src/profiler/run-time.c \
	src/profiler/traffic.c \
	src/profiler/unseen.c \
	src/profiler/windows.c
tests_profiler_test_windows_CPPFLAGS = $(mpi_test_cppflags)
tests_programs_test_measure_plan_SOURCES = tests/programs/test-measure-plan.c src/programs/measure-plan.c
tests_programs_test_measure_rounds_SOURCES = \
	tests/programs/test-measure-rounds.c \
	src/programs/measure-plan.c \
	src/programs/measure-rounds.c
tests_programs_test_replay_pairs_SOURCES = tests/programs/test-replay-pairs.c src/programs/replay-pairs.c
tests_predict_test_strategy_LDFLAGS = $(tests_profile_test_profile_LDFLAGS) -Wl,--wrap=pthread_create
tests_profiler_test_traffic_CPPFLAGS = $(mpi_test_cppflags)
tests_regular_test_regular_words_LDFLAGS = -Wl,--wrap=tmap_tree_ancestor
tests_recognize_test_search_bounds_LDFLAGS = -Wl,--wrap=traffic_offer -Wl,--wrap=numbered_groups_search
tests_comm_test_rank_tree_SOURCES = \
	tests/ranks.c \
	tests/ranks.h \
	tests/comm/test-rank-tree.c \
	src/comm/rank-tree.c \
	src/comm/waiting.c
tests_comm_test_rank_tree_CPPFLAGS = $(mpi_test_cppflags)
tests_reorder_test_decide_SOURCES = tests/reorder/test-decide.c src/reorder/decide.c
tests_reorder_test_decide_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_DATA='"$(srcdir)/tests/tmap"'
tests_reorder_test_explain_SOURCES = tests/reorder/test-explain.c src/reorder/explain.c
tests_reorder_test_pattern_SOURCES = \
	tests/reorder/test-pattern.c \
	tests/ranks.c \
	tests/ranks.h \
	src/reorder/pattern.c \
	src/reorder/trouble.c \
	src/comm/rank-tree.c \
	src/comm/waiting.c
tests_reorder_test_pattern_CPPFLAGS = $(mpi_test_cppflags)
tests_reorder_test_reorder_SOURCES = \
	tests/reorder/test-reorder.c \
	tests/ranks.c \
	tests/ranks.h \
	src/reorder/decide.c \
	src/reorder/explain.c \
	src/reorder/group-order.c \
	src/reorder/job-seconds.c \
	src/reorder/network-gather.c \
	src/reorder/new-order.c \
	src/reorder/node-place.c \
	src/reorder/pattern.c \
	src/reorder/reorder.c \
	src/reorder/seats.c \
	src/reorder/trouble.c \
	src/comm/rank-tree.c \
	src/comm/waiting.c
tests_reorder_test_reorder_CPPFLAGS = $(mpi_test_cppflags)
tests_simulate_test_exchanges_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_simulate_test_queueing_LDFLAGS = $(tests_profile_test_profile_LDFLAGS)
tests_tmap_test_accelerators_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_DATA='"$(srcdir)/tests/data"'
tests_tmap_test_hwloc_CPPFLAGS = $(AM_CPPFLAGS) $(HWLOC_CFLAGS) -DTEST_DATA='"$(srcdir)/tests/tmap"'
tests_tmap_test_memory_LDFLAGS = \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=free

# Programs that a script runs: its .log needs them.
test_helpers = tests/cmd/print-launcher
tests_cmd_print_launcher_SOURCES = \
	tests/cmd/print-launcher.c \
	src/cmd/job/delivery.c \
	src/cmd/job/elf.c \
	src/cmd/place/emit-binding.c \
	src/cmd/place/emit.c \
	src/cmd/job/job.c \
	src/cmd/shell/shell-word.c \
	src/cmd/place/rewrite-oversubscription.c \
	src/cmd/place/rewrite.c \
	src/cmd/job/variables.c
tests/cmd/launchers.log: tests/cmd/print-launcher$(EXEEXT)

test_scripts = \
	tests/cmd/command.tap \
	tests/cmd/compare-page.tap \
	tests/cmd/compare.tap \
	tests/cmd/completions.tap \
	tests/cmd/convert.tap \
	tests/cmd/fake-launcher.tap \
	tests/cmd/hostile.tap \
	tests/cmd/json.tap \
	tests/cmd/keep-local.tap \
	tests/cmd/large.tap \
	tests/cmd/launchers.tap \
	tests/cmd/layout.tap \
	tests/cmd/links.tap \
	tests/cmd/options.tap \
	tests/cmd/out-of-memory.tap \
	tests/cmd/pattern.tap \
	tests/cmd/placement.tap \
	tests/cmd/report-change.tap \
	tests/cmd/report-forms.tap \
	tests/cmd/report-methods.tap \
	tests/cmd/report-next.tap \
	tests/cmd/report-pictures.tap \
	tests/cmd/simgrid.tap \
	tests/cmd/simulate.tap \
	tests/cmd/terminal.tap \
	tests/cmd/topo.tap \
	tests/cmd/treematch.tap \
	tests/cmd/topologies.tap \
	tests/mpi/auto.tap tests/mpi/both-passes.tap \
	tests/mpi/batch.tap \
	tests/mpi/cart-and-graph.tap \
	tests/mpi/default-scope.tap \
	tests/mpi/delivery.tap \
	tests/mpi/doctor.tap \
	tests/mpi/error-handlers.tap \
	tests/mpi/every-function.tap \
	tests/mpi/exports.tap \
	tests/mpi/faults.tap \
	tests/mpi/harmless.tap \
	tests/mpi/in-rank.tap \
	tests/mpi/keep-local.tap \
	tests/mpi/languages.tap \
	tests/mpi/library-not-loaded.tap \
	tests/mpi/memory-growth.tap \
	tests/mpi/measure.tap \
	tests/mpi/method.tap \
	tests/mpi/min-gain.tap \
	tests/mpi/moved.tap \
	tests/mpi/objective.tap \
	tests/mpi/objective-time.tap \
	tests/mpi/message-sizes.tap \
	tests/mpi/neighbor-lists.tap \
	tests/mpi/one-rank-fails.tap \
	tests/mpi/one-reader.tap \
	tests/mpi/openmpi-components.tap \
	tests/mpi/other-worlds.tap \
	tests/mpi/own-calls.tap \
	tests/mpi/own-counts.tap \
	tests/mpi/pages.tap \
	tests/mpi/profile-output.tap \
	tests/mpi/rank-variables.tap \
	tests/mpi/replay.tap \
	tests/mpi/sessions.tap \
	tests/mpi/several-programs.tap \
	tests/mpi/standard-abi.tap \
	tests/mpi/static-mpi.tap \
	tests/mpi/time-in-mpi.tap \
	tests/mpi/tools.tap \
	tests/mpi/traffic.tap \
	tests/mpi/unknown-functions.tap \
	tests/mpi/world.tap \
	tests/packaging/recipes.tap \
	tests/pages/manual.tap \
	tests/python/python.tap \
	tests/scripts/check.tap \
	tests/scripts/circles.tap \
	tests/scripts/experiments.tap \
	tests/tmap/abi-releases.sh \
	tests/tmap/abi.sh \
	tests/tmap/installed.sh \
	tests/tmap/symbols.sh
# Those that take long for what they are about: `make check-long` runs them too, as scripts/check does.
long_scripts = \
	tests/cluster/both-passes.tap \
	tests/cluster/cluster.tap \
	tests/cluster/layouts.tap \
	tests/cluster/measure.tap \
	tests/cluster/month.tap \
	tests/cluster/pages.tap \
	tests/cluster/placement.tap \
	tests/cluster/ring.tap \
	tests/cluster/slurm.tap \
	tests/cmd/largest.tap \
	tests/cmd/prefix.tap \
	tests/cmd/report-page.tap \
	tests/cmd/auto.tap tests/cmd/verify-page.tap \
	tests/mpi/algorithms.tap \
	tests/mpi/all-or-none.tap \
	tests/mpi/another-program.tap \
	tests/mpi/compare.tap \
	tests/mpi/fortran-calls.tap \
	tests/mpi/fortran-world.tap \
	tests/mpi/more-mpis.tap \
	tests/mpi/strategies.tap \
	tests/mpi/tools-all.tap \
	tests/mpi/unusual-machines.tap \
	tests/packaging/dist.tap \
	tests/packaging/module.tap \
	tests/packaging/rpm.tap \
	tests/programs/programs.tap \
	tests/scripts/packages.tap \
	tests/tmap/determinism.sh \
	tests/tmap/static.sh
dist_check_SCRIPTS = $(test_scripts) $(long_scripts)
check-long: all
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(TESTS) $(long_scripts)'

# What they read, include, compile and source.
EXTRA_DIST += tests/cmd/launchers tests/data tests/mpi/libraries tests/mpi/programs
EXTRA_DIST += \
	tests/cluster/lines.h \
	tests/cluster/neighbors.c \
	tests/cluster/partners.c \
	tests/cluster/where.c \
	tests/README.md \
	tests/cmd/expect-report.awk \
	tests/cmd/fail-allocation.c \
	tests/cmd/fake-launcher \
	tests/cmd/complete.zsh \
	tests/cmd/lib.sh \
	tests/cmd/browser.sh \
	tests/cmd/page-checks.js \
	tests/cmd/in-terminal.py \
	tests/cmd/report-change.js \
	tests/cmd/report-methods.js \
	tests/cmd/report-noscript.js \
	tests/cmd/compare-page.js \
	tests/cmd/report-page.js \
	tests/cmd/verify-page.js \
	tests/collectives/by-call.h \
	tests/collectives/messages.h \
	tests/collectives/sent.h \
	tests/failing.h \
	tests/lib.sh \
	tests/mpi/known-types.txt \
	tests/mpi/lib.sh \
	tests/mpi/pmi-launcher.py \
	tests/mpi/print-algorithm.c \
	tests/mpi/unknown-mpich.txt \
	tests/mpi/unknown-openmpi.txt \
	tests/mpi/with-tool.sh \
	tests/pages/instead \
	tests/pages/lib.sh \
	tests/pages/not-run \
	tests/pages/run-blocks.py \
	tests/programs/abundances.in \
	tests/programs/every.py \
	tests/programs/hpccinf.txt \
	tests/programs/melt.lmp \
	tests/programs/nebula.in \
	tests/programs/still.c \
	tests/programs/water.nw \
	tests/python/tap.py \
	tests/python/test-heatmap.py \
	tests/python/test-profile.py \
	tests/python/test-tmap.py \
	tests/soak/soak.sh \
	tests/tmap/abi-released.txt \
	tests/tmap/abi.txt \
	tests/tmap/grids.h \
	tests/tmap/print-mappings.c \
	tests/tmap/test.h \
	tests/tmap/two-packages.xml

# All that tests run, built and not run.
test-programs: all
	$(MAKE) $(AM_MAKEFLAGS) $(unit_tests) $(fuzz_tests) $(test_helpers)
print-unit-tests:
	@echo $(unit_tests)
print-tests:
	@echo $(TESTS) $(long_scripts)
# The unit tests once more under valgrind: some minutes. A line for each program. VALGRIND_JOBS: so many at a time. From glibc
# 2.43 on each thread has guard pages, of which valgrind 3.27 takes 500 unless told otherwise.
check-valgrind: all
	@$(MAKE) $(AM_MAKEFLAGS) $(unit_tests)
	@test '$(VALGRIND)' != no || { echo 'SKIP: valgrind is not installed'; exit 0; }; \
	guards=; ! $(VALGRIND) --help | grep -q max-guard-pages || guards=--max-guard-pages=100000; export guards; \
	printf '%s\n' $(unit_tests) | xargs -P "$(or $(VALGRIND_JOBS),$$(nproc))" -I{} sh -c \
	  'if TEST_QUICK=10 $(LIBTOOL) --silent --mode=execute $(VALGRIND) -q --error-exitcode=99 --leak-check=full \
	    $$guards --suppressions=$(srcdir)/scripts/valgrind.supp {} >{}.valgrind 2>&1; \
	  then echo "PASS: {} under valgrind"; \
	  else echo "FAIL: {} under valgrind, see {}.valgrind"; exit 1; fi'
CLEANFILES += tests/*/*.valgrind
# Many jobs under load: see the script.
SOAK_JOBS = 100
soak: all
	$(AM_TESTS_ENVIRONMENT) srcdir=$(srcdir) SOAK_JOBS=$(SOAK_JOBS) $(SHELL) $(srcdir)/tests/soak/soak.sh
.PHONY: check-long test-programs check-valgrind print-unit-tests print-tests soak
