# SPDX-License-Identifier: BSD-3-Clause
# src/profiler: traffic recorded, and gathered into a profile
preload_sources += \
	%D%/answers.c \
	%D%/answers.h \
	%D%/call-cache.c \
	%D%/call-cache.h \
	%D%/call-hooks.h \
	%D%/collect.c \
	%D%/communicators.c \
	%D%/communicators.h \
	%D%/domain-index.c \
	%D%/domain-index.h \
	%D%/fast-path.h \
	%D%/fetched.c \
	%D%/fetched.h \
	%D%/model.c \
	%D%/monitoring.c \
	%D%/monitoring.h \
	%D%/mpi-release.c \
	%D%/mpi-release.h \
	%D%/one-sided.c \
	%D%/profiler.c \
	%D%/profiler.h \
	%D%/record.c \
	%D%/record.h \
	%D%/relay.c \
	%D%/relay.h \
	%D%/run-info.c \
	%D%/run-info.h \
	%D%/run-time.c \
	%D%/run-time.h \
	%D%/tally.c \
	%D%/tally.h \
	%D%/traffic.c \
	%D%/traffic.h \
	%D%/unseen.c \
	%D%/unseen.h \
	%D%/windows.c \
	%D%/windows.h
