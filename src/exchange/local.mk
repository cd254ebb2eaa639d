# SPDX-License-Identifier: BSD-3-Clause
# src/exchange: traffic in the forms of other programs; merged profiles
noinst_LTLIBRARIES += libreseat-exchange.la
libreseat_exchange_la_SOURCES = \
	%D%/exchange-forms.c \
	%D%/exchange-forms.h \
	%D%/exchange-graph.c \
	%D%/exchange-monitoring.c \
	%D%/exchange-read.c \
	%D%/exchange-write.c \
	%D%/exchange.c \
	%D%/exchange.h
