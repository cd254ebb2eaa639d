# SPDX-License-Identifier: BSD-3-Clause
# src/simulate: messages through servers, and mapping so that they wait little: for the command
noinst_LTLIBRARIES += libreseat-simulate.la
libreseat_simulate_la_SOURCES = \
	%D%/cluster-run.c \
	%D%/cluster-run.h \
	%D%/contention.c \
	%D%/contention.h \
	%D%/exchanges.c \
	%D%/exchanges.h \
	%D%/free-cores.c \
	%D%/free-cores.h \
	%D%/queueing.c \
	%D%/queueing.h \
	%D%/rates-timings.c \
	%D%/rates.c \
	%D%/rates.h \
	%D%/route.c \
	%D%/route.h \
	%D%/sample.h \
	%D%/workload-map.c \
	%D%/workload-map.h \
	%D%/workload-mapping.c \
	%D%/workload-mapping.h \
	%D%/workload.c \
	%D%/workload.h
