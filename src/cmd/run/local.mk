# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/run: jobs run, watched, replayed, timed
reseat_SOURCES += \
	%D%/collector.c \
	%D%/collector.h \
	%D%/in-rank.c \
	%D%/in-rank.h \
	%D%/job-run.c \
	%D%/job-run.h \
	%D%/launch.c \
	%D%/mark.c \
	%D%/mark.h \
	%D%/one-run.c \
	%D%/one-run.h \
	%D%/reasons.c \
	%D%/reasons.h \
	%D%/replay.c \
	%D%/replay.h \
	%D%/verdict.c \
	%D%/verdict.h \
	%D%/watched.c \
	%D%/watched.h
