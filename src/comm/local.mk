# SPDX-License-Identifier: BSD-3-Clause
# src/comm: messages between ranks that yield while they wait
preload_sources += \
	%D%/rank-tree.c \
	%D%/rank-tree.h \
	%D%/waiting.c \
	%D%/waiting.h
