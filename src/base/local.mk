# SPDX-License-Identifier: BSD-3-Clause
# src/base: what is general and small, for all but libtmap; needs only libc
noinst_LTLIBRARIES += libreseat-base.la
libreseat_base_la_SOURCES = \
	%D%/array.h \
	%D%/ascending.h \
	%D%/clock.h \
	%D%/processors.h \
	%D%/search.h \
	%D%/handles.c \
	%D%/handles.h \
	%D%/hash.h
