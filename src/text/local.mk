# SPDX-License-Identifier: BSD-3-Clause
# src/text: lines, numbers, names and errors of text files
noinst_LTLIBRARIES += libreseat-text.la
libreseat_text_la_SOURCES = \
	%D%/error.c \
	%D%/error.h \
	%D%/host-name.c \
	%D%/host-name.h \
	%D%/hostlist.c \
	%D%/hostlist.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/number.h \
	%D%/printable.c \
	%D%/printable.h \
	%D%/replace-file.c \
	%D%/replace-file.h \
	%D%/target.c \
	%D%/target.h \
	%D%/temporary.c \
	%D%/temporary.h \
	%D%/yaml.c \
	%D%/yaml.h
