# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/methods: the table of methods, and the small ones
libtmap_core_la_SOURCES += \
	%D%/best.c \
	%D%/greedy.c \
	%D%/improve-below.c \
	%D%/methods.c \
	%D%/methods.h \
	%D%/mpipp.c \
	%D%/recursive.c
