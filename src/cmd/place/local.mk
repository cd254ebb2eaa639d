# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/place: placement at launch: probe, order, launcher files and command lines
reseat_SOURCES += \
	%D%/emit-binding.c \
	%D%/emit.c \
	%D%/emit.h \
	%D%/place-check.c \
	%D%/place-job.c \
	%D%/place-memo.c \
	%D%/place-order.c \
	%D%/place.c \
	%D%/place.h \
	%D%/placement.h \
	%D%/probe-simulated.c \
	%D%/probe-tree.c \
	%D%/probe.c \
	%D%/probe.h \
	%D%/program.c \
	%D%/program.h \
	%D%/rewrite-oversubscription.c \
	%D%/rewrite.c \
	%D%/rewrite.h \
	%D%/seat.c \
	%D%/trial.c \
	%D%/trial.h
