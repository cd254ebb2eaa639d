# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/multilevel: recursive division of the matrix
libtmap_core_la_SOURCES += \
	%D%/bisect-coarsen.c \
	%D%/bisect-grow.c \
	%D%/bisect-refine.c \
	%D%/bisect.c \
	%D%/bisect.h \
	%D%/compact-graph.c \
	%D%/compact-grid.c \
	%D%/compact.c \
	%D%/compact.h \
	%D%/contest.c \
	%D%/contest.h \
	%D%/division-worker.h \
	%D%/division.c \
	%D%/division.h \
	%D%/grid-embedding.c \
	%D%/grid-embedding.h \
	%D%/grid-order.c \
	%D%/grid-order.h \
	%D%/interconnect-division.c \
	%D%/multilevel.c \
	%D%/multilevel.h \
	%D%/wide-division.c
