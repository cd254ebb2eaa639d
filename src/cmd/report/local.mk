# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/report: what a profile shows
reseat_SOURCES += \
	%D%/report-assumed.c \
	%D%/report-assumed.h \
	%D%/report-blocks.c \
	%D%/report-blocks.h \
	%D%/report-change-page.c \
	%D%/report-change-write.c \
	%D%/report-change.c \
	%D%/report-change.h \
	%D%/report-document.c \
	%D%/report-document.h \
	%D%/report-heat-axis.c \
	%D%/report-heat-draw.c \
	%D%/report-heat-write.c \
	%D%/report-heat.c \
	%D%/report-heat.h \
	%D%/report-machine.c \
	%D%/report-machine.h \
	%D%/report-methods.c \
	%D%/report-methods.h \
	%D%/report-nodes.c \
	%D%/report-nodes.h \
	%D%/report-numbers.c \
	%D%/report-numbers.h \
	%D%/report-page-next.c \
	%D%/report-page-ranks.c \
	%D%/report-page-tables.c \
	%D%/report-page.c \
	%D%/report-page.h \
	%D%/report-pictures.c \
	%D%/report-pictures.h \
	%D%/report-sentences.c \
	%D%/report-sentences.h \
	%D%/report-text.c \
	%D%/report.c
%D%/reseat-report.$(OBJEXT) %D%/reseat-report-page.$(OBJEXT) %D%/reseat-report-change-page.$(OBJEXT): src/page/sources.h
