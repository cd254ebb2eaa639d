# SPDX-License-Identifier: BSD-3-Clause
# src/regular: regular layouts, and the options of launchers that say them: for the command
noinst_LTLIBRARIES += libreseat-regular.la
libreseat_regular_la_SOURCES = \
	%D%/regular-layouts.c \
	%D%/regular-layouts.h \
	%D%/regular-words.c \
	%D%/regular-words.h
