# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/output: outputs of runs compared
reseat_SOURCES += \
	%D%/output-lines.c \
	%D%/output-varying.c \
	%D%/output-varying.h \
	%D%/output.c \
	%D%/output.h
