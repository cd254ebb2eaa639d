# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/map: mapping offline
reseat_SOURCES += \
	%D%/map-groups.c \
	%D%/map-launcher.c \
	%D%/map-layout.c \
	%D%/map-layouts.c \
	%D%/map-method.c \
	%D%/map-physical.c \
	%D%/map-target.c \
	%D%/map-tile.c \
	%D%/map-workload.c \
	%D%/map.c \
	%D%/map.h \
	%D%/method-list.c \
	%D%/method-list.h
%D%/reseat-map.$(OBJEXT): src/page/sources.h
