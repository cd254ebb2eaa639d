# SPDX-License-Identifier: BSD-3-Clause
# src/collectives: what collectives send, and which algorithms each MPI takes; needs only libc
noinst_LTLIBRARIES += libreseat-collectives.la libreseat-choices-openmpi.la libreseat-choices-mpich.la
libreseat_collectives_la_SOURCES = \
	%D%/algorithms.c \
	%D%/algorithms.h \
	%D%/choices.h \
	%D%/message-trees.c \
	%D%/reductions.c
libreseat_choices_openmpi_la_SOURCES = \
	%D%/libnbc.c \
	%D%/libnbc.h \
	%D%/tuned.c \
	%D%/tuned.h \
	%D%/tuned-reductions.c
libreseat_choices_mpich_la_SOURCES = %D%/mpich.c
