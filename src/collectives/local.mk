# SPDX-License-Identifier: BSD-3-Clause
# src/collectives: what collectives send, and which algorithms each MPI takes; needs only libc
noinst_LTLIBRARIES += libreseat-collectives.la libreseat-choices-openmpi.la libreseat-choices-mpich.la
if HAVE_ABI
noinst_LTLIBRARIES += libreseat-choices-abi.la libreseat-choices-abi-openmpi.la libreseat-choices-abi-mpich.la
endif
libreseat_collectives_la_SOURCES = \
	%D%/algorithms.c \
	%D%/algorithms.h \
	%D%/choices.h \
	%D%/message-trees.c \
	%D%/reductions.c
libreseat_choices_openmpi_la_SOURCES = \
	%D%/libnbc.c \
	%D%/tuned.c \
	%D%/tuned.h \
	%D%/tuned-reductions.c
libreseat_choices_mpich_la_SOURCES = %D%/mpich.c
# Both, each under names of its own.
libreseat_choices_abi_la_SOURCES = %D%/abi.c
libreseat_choices_abi_la_LIBADD = libreseat-choices-abi-openmpi.la libreseat-choices-abi-mpich.la
libreseat_choices_abi_openmpi_la_SOURCES = $(libreseat_choices_openmpi_la_SOURCES)
libreseat_choices_abi_openmpi_la_CPPFLAGS = $(base_cppflags) -DCHOICES_OF=openmpi
libreseat_choices_abi_mpich_la_SOURCES = $(libreseat_choices_mpich_la_SOURCES)
libreseat_choices_abi_mpich_la_CPPFLAGS = $(base_cppflags) -DCHOICES_OF=mpich
