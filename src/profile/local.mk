# SPDX-License-Identifier: BSD-3-Clause
# src/profile: profiles, orders, settings; the gain
noinst_LTLIBRARIES += libreseat-profile.la
libreseat_profile_la_SOURCES = \
	%D%/gain.c \
	%D%/gain.h \
	%D%/message-sizes.c \
	%D%/message-sizes.h \
	%D%/order.c \
	%D%/order.h \
	%D%/origin.c \
	%D%/origin.h \
	%D%/profile-merge.c \
	%D%/profile-read.c \
	%D%/profile-time.c \
	%D%/profile-time.h \
	%D%/profile-write.c \
	%D%/profile.c \
	%D%/profile.h \
	%D%/seats-match.c \
	%D%/seats-match.h \
	%D%/settings.c \
	%D%/settings.h \
	%D%/world-profile.c \
	%D%/world-profile.h
