# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/grouping: TreeMatch: groups of roles, level by level
libtmap_core_la_SOURCES += \
	%D%/arity-division.c \
	%D%/bins.c \
	%D%/buckets.c \
	%D%/dense.c \
	%D%/groups-all.c \
	%D%/groups-all.h \
	%D%/groups-fast.c \
	%D%/independent-set.c \
	%D%/largest-last.c \
	%D%/treematch-levels.c \
	%D%/treematch-levels.h \
	%D%/treematch-uneven.c \
	%D%/treematch.c \
	%D%/treematch.h
