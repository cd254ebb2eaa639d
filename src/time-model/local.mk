# SPDX-License-Identifier: BSD-3-Clause
# src/time-model: seconds of messages, by timings
noinst_LTLIBRARIES += libreseat-time-model.la
libreseat_time_model_la_SOURCES = \
	%D%/time-links.c \
	%D%/time-links.h \
	%D%/time-model.c \
	%D%/time-model.h \
	%D%/time-places.c \
	%D%/time-places.h \
	%D%/time-resources.c \
	%D%/time-resources.h \
	%D%/time-weights.c \
	%D%/time-weights.h
