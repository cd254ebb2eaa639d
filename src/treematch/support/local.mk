# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/support: memory, errors, random numbers, sorting
libtmap_core_la_SOURCES += \
	%D%/arena.c \
	%D%/arena.h \
	%D%/fail.c \
	%D%/grow.c \
	%D%/heap.c \
	%D%/heap.h \
	%D%/options-read.c \
	%D%/random-numbers.c \
	%D%/sort.c \
	%D%/sorted.h \
	%D%/status.c \
	%D%/support.h
