# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/layout: regular layouts
libtmap_core_la_SOURCES += \
	%D%/baselines.c \
	%D%/baselines.h \
	%D%/lay-out.c \
	%D%/letters.c \
	%D%/letters.h \
	%D%/loops.c \
	%D%/loops.h
