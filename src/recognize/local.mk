# SPDX-License-Identifier: BSD-3-Clause
# src/recognize: what traffic looks like to a person: for the command
noinst_LTLIBRARIES += libreseat-recognize.la
libreseat_recognize_la_SOURCES = \
	%D%/grid-tile.c \
	%D%/grid-tile.h \
	%D%/numbered-grid.c \
	%D%/numbered-groups.c \
	%D%/numbered.h \
	%D%/recognize.c \
	%D%/recognize.h \
	%D%/recognize-text.c \
	%D%/traffic-edges.h
