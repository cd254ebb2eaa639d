# SPDX-License-Identifier: BSD-3-Clause
# src/timings: how long messages take on a machine
noinst_LTLIBRARIES += libreseat-timings.la
libreseat_timings_la_SOURCES = \
	%D%/timings-file.c \
	%D%/timings.c \
	%D%/timings.h
