# SPDX-License-Identifier: BSD-3-Clause
# src/interpose/meeting: the ranks find out whether all of them have the library
preload_sources += \
	%D%/assemble.c \
	%D%/assemble.h \
	%D%/key-space-pmix.c \
	%D%/key-space.c \
	%D%/key-space.h \
	%D%/leave-mark.c \
	%D%/leave-mark.h \
	%D%/presence.c \
	%D%/presence.h \
	%D%/rights.c \
	%D%/rights.h \
	%D%/signals.c \
	%D%/signals.h
