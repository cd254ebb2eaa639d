# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/compare: methods side by side
reseat_SOURCES += \
	%D%/compare-case.c \
	%D%/compare-document.c \
	%D%/compare-findings.c \
	%D%/compare-forms.h \
	%D%/compare-lists.c \
	%D%/compare-page.c \
	%D%/compare-pictures.c \
	%D%/compare-rows.c \
	%D%/compare-runs.c \
	%D%/compare-summary.c \
	%D%/compare-table.c \
	%D%/compare.c \
	%D%/compare.h
%D%/reseat-compare-page.$(OBJEXT): src/page/sources.h
