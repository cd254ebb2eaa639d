# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/job: the job of a command line: its launcher, variables and processes
reseat_SOURCES += \
	%D%/child.c \
	%D%/child.h \
	%D%/delivery.c \
	%D%/delivery.h \
	%D%/elf.c \
	%D%/elf.h \
	%D%/job-options.c \
	%D%/job-options.h \
	%D%/job-start.c \
	%D%/job-start.h \
	%D%/job.c \
	%D%/job.h \
	%D%/sentinel.c \
	%D%/sentinel.h \
	%D%/variables.c \
	%D%/variables.h
