# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/topo: machines shown
reseat_SOURCES += \
	%D%/topo-machine.c \
	%D%/topo.c \
	%D%/topo.h
