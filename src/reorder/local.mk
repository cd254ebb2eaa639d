# SPDX-License-Identifier: BSD-3-Clause
# src/reorder: a better order of ranks, for a world or a graph
preload_sources += \
	%D%/attempt.h \
	%D%/cart-graph.c \
	%D%/cart-graph.h \
	%D%/decide.c \
	%D%/decide.h \
	%D%/error-handler.c \
	%D%/error-handler.h \
	%D%/explain.c \
	%D%/explain.h \
	%D%/group-order.c \
	%D%/job-seconds.c \
	%D%/job-seconds.h \
	%D%/neighbor-lists.c \
	%D%/neighbor-lists.h \
	%D%/network-gather.c \
	%D%/network-gather.h \
	%D%/new-order.c \
	%D%/node-place.c \
	%D%/node-place.h \
	%D%/pattern.c \
	%D%/pattern.h \
	%D%/reorder.c \
	%D%/reorder.h \
	%D%/seats.c \
	%D%/seats.h \
	%D%/trouble.c \
	%D%/trouble.h
