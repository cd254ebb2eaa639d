# SPDX-License-Identifier: BSD-3-Clause
# fuzz targets: with made-up inputs in `make check`, with libFuzzer in `make fuzz`
# A target is tests/fuzz/fuzz-NAME.c and its line here.
fuzz_tests = \
	tests/fuzz/commands \
	tests/fuzz/fuzz-exchange \
	tests/fuzz/fuzz-hostlist \
	tests/fuzz/fuzz-layout \
	tests/fuzz/fuzz-map \
	tests/fuzz/fuzz-netloc \
	tests/fuzz/fuzz-networks \
	tests/fuzz/fuzz-order \
	tests/fuzz/fuzz-profile \
	tests/fuzz/fuzz-rates \
	tests/fuzz/fuzz-settings \
	tests/fuzz/fuzz-switches \
	tests/fuzz/fuzz-timings \
	tests/fuzz/fuzz-topology \
	tests/fuzz/fuzz-tree \
	tests/fuzz/fuzz-workload
tests_fuzz_commands_SOURCES = tests/fuzz/commands.c tests/fuzz/command-lines.c tests/fuzz/command-lines.h
EXTRA_tests_fuzz_commands_DEPENDENCIES = reseat$(EXEEXT)
EXTRA_DIST += tests/fuzz/run.sh
FUZZ_SECONDS = 60
fuzz:
	srcdir=$(srcdir) $(SHELL) $(srcdir)/tests/fuzz/run.sh $(FUZZ_SECONDS)
.PHONY: fuzz
