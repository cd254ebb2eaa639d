# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/verify: a job both ways in turn
reseat_SOURCES += \
	%D%/run-outputs.c \
	%D%/run-outputs.h \
	%D%/verify-document.c \
	%D%/verify-numbers.c \
	%D%/verify-page.c \
	%D%/verify-result.h \
	%D%/verify.c
%D%/reseat-verify.$(OBJEXT) %D%/reseat-verify-page.$(OBJEXT): src/page/sources.h
