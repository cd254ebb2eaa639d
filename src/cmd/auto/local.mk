# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/auto: jobs that learn from those before them
reseat_SOURCES += \
	%D%/auto.c \
	%D%/history.c \
	%D%/left-jobs.c \
	%D%/left-jobs.h \
	%D%/lesson.c \
	%D%/lesson.h \
	%D%/program-key.c \
	%D%/program-key.h \
	%D%/shown.c \
	%D%/shown.h \
	%D%/store-jobs.c \
	%D%/store-jobs.h \
	%D%/store.c \
	%D%/store.h
%D%/reseat-history.$(OBJEXT): src/page/sources.h
