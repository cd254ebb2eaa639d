# SPDX-License-Identifier: BSD-3-Clause
# src/launcher: the table of launchers, which needs only libc
noinst_LTLIBRARIES += libreseat-launcher.la
libreseat_launcher_la_SOURCES = \
	%D%/flux.c \
	%D%/formats.c \
	%D%/hydra.c \
	%D%/intel.c \
	%D%/launcher.c \
	%D%/launcher.h \
	%D%/openmpi.c \
	%D%/others.c \
	%D%/rank-dealing.c \
	%D%/rank-dealing.h \
	%D%/rank-dealing-openmpi.c \
	%D%/rank-dealing-rows.c \
	%D%/rank-dealing-rows.h \
	%D%/rank-variables.c \
	%D%/rank-variables.h \
	%D%/rows.h \
	%D%/simgrid.c \
	%D%/slurm.c \
	%D%/tried.c \
	%D%/tried.h
