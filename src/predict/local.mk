# SPDX-License-Identifier: BSD-3-Clause
# src/predict: what an order would gain, for the command and the preloaded libraries
noinst_LTLIBRARIES += libreseat-predict.la
libreseat_predict_la_SOURCES = \
	%D%/loads.c \
	%D%/loads.h \
	%D%/local-ranks.c \
	%D%/local-ranks.h \
	%D%/prediction-find.c \
	%D%/prediction.c \
	%D%/prediction.h \
	%D%/strategy.c \
	%D%/strategy.h \
	%D%/time-prediction.c \
	%D%/time-prediction.h \
	%D%/time-search.c \
	%D%/time-search.h
