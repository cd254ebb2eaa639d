# SPDX-License-Identifier: BSD-3-Clause
# src/generate: communication patterns by name: for the command, benchmarks and tests
noinst_LTLIBRARIES += libreseat-generate.la
libreseat_generate_la_SOURCES = \
	%D%/generate.c \
	%D%/generate.h \
	%D%/generate-builder.c \
	%D%/generate-builder.h \
	%D%/generate-graphs.c \
	%D%/generate-grids.c
