# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/improve: a mapping made better
libtmap_core_la_SOURCES += \
	%D%/congestion.c \
	%D%/constraints.c \
	%D%/disturb.c \
	%D%/exhaustive.c \
	%D%/grid-symmetry.c \
	%D%/grid-symmetry.h \
	%D%/improve.h \
	%D%/keep-role.c \
	%D%/local-search.c \
	%D%/local-search.h \
	%D%/nearby.c \
	%D%/nearby.h \
	%D%/swaps.c \
	%D%/swaps.h
