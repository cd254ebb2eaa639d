# SPDX-License-Identifier: BSD-3-Clause
# src/cmd: the command
bin_PROGRAMS += reseat
reseat_SOURCES = \
	%D%/commands.h \
	%D%/completions.c \
	%D%/convert.c \
	%D%/doctor-findings.c \
	%D%/doctor-profile.c \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/installation.c \
	%D%/main.c \
	%D%/measure.c \
	%D%/merge.c \
	%D%/simulate.c
include src/cmd/shell/local.mk
include src/cmd/job/local.mk
include src/cmd/place/local.mk
include src/cmd/topo/local.mk
include src/cmd/map/local.mk
include src/cmd/output/local.mk
include src/cmd/run/local.mk
include src/cmd/verify/local.mk
include src/cmd/compare/local.mk
include src/cmd/report/local.mk
include src/cmd/auto/local.mk
reseat_CPPFLAGS = $(base_cppflags) -I$(builddir)
reseat_LDADD = libreseat-history.la libreseat-regular.la libreseat-launcher.la libreseat-page.la libreseat-draw.la libreseat-generate.la libreseat-recognize.la libreseat-simulate.la libreseat-predict.la libreseat-time-model.la \
	libreseat-exchange.la libreseat-profile.la libreseat-network.la libreseat-timings.la libreseat-text.la libtmap-hwloc-core.la libtmap-core.la -lm
nodist_reseat_SOURCES = %D%/shell/paths.h src/page/sources.h
# What every make comes by, so also the place to refuse what libtool would get wrong later.
reseat-force:
	@case '$(DESTDIR)' in *' '*) echo "libtool takes no DESTDIR with a space: '$(DESTDIR)'" >&2; exit 1 ;; esac
.PHONY: reseat-force
%D%/reseat-completions.$(OBJEXT) %D%/reseat-simulate.$(OBJEXT) %D%/reseat-measure.$(OBJEXT): src/page/sources.h
