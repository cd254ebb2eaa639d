# SPDX-License-Identifier: BSD-3-Clause
# src/history: the jobs of a program so far, and what follows from them, for the command
noinst_LTLIBRARIES += libreseat-history.la
libreseat_history_la_SOURCES = \
	%D%/history-belief.c \
	%D%/history-belief.h \
	%D%/history-decide.c \
	%D%/history-line.c \
	%D%/history-shift.c \
	%D%/history-shift.h \
	%D%/history-text.c \
	%D%/history.h
