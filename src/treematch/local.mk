# SPDX-License-Identifier: BSD-3-Clause
# src/treematch: the mapping library
# libtmap-core is everything that needs only libc, libm and pthreads; libtmap is its public face.
noinst_LTLIBRARIES += libtmap-core.la libtmap-hwloc-core.la
lib_LTLIBRARIES += libtmap.la libtmap-hwloc.la
include_HEADERS += %D%/tmap.h %D%/tmap-hwloc.h
pkgconfig_DATA = %D%/tmap.pc %D%/tmap-hwloc.pc
libtmap_core_la_SOURCES = %D%/tmap.h
include src/treematch/support/local.mk
include src/treematch/model/local.mk
include src/treematch/grouping/local.mk
include src/treematch/multilevel/local.mk
include src/treematch/improve/local.mk
include src/treematch/layout/local.mk
include src/treematch/methods/local.mk
libtmap_core_la_LIBADD = -lm
libtmap_hwloc_core_la_SOURCES = \
	%D%/tmap-hwloc.h \
	%D%/adapters/accelerators.c \
	%D%/adapters/accelerators.h \
	%D%/adapters/binding.c \
	%D%/adapters/binding.h \
	%D%/adapters/load.h \
	%D%/adapters/slot-numbers.h \
	%D%/adapters/hwloc.c
libtmap_hwloc_core_la_CPPFLAGS = $(base_cppflags) $(HWLOC_CFLAGS)
libtmap_hwloc_core_la_LIBADD = $(HWLOC_LIBS)
libtmap_la_SOURCES =
libtmap_la_LIBADD = libtmap-core.la
libtmap_la_LDFLAGS = -version-info $(TMAP_ABI) -no-undefined
# What both need inside is in both.
libtmap_hwloc_la_SOURCES = %D%/support/fail.c
libtmap_hwloc_la_LIBADD = libtmap-hwloc-core.la libtmap.la $(HWLOC_LIBS)
libtmap_hwloc_la_LDFLAGS = -version-info $(TMAP_ABI) -no-undefined
# A library knows where it will be installed: linked again when the folder was configured for another place.
EXTRA_libtmap_la_DEPENDENCIES = libdir.stamp
EXTRA_libtmap_hwloc_la_DEPENDENCIES = libdir.stamp
libdir.stamp: reseat-force
	@test "$$(cat $@ 2>/dev/null)" = '$(libdir)' || echo '$(libdir)' >$@
CLEANFILES += libdir.stamp
# Added to: C:R:A becomes C+1:0:A+1. Changed or taken away: C+1:0:0 (doc/design/0009-a-library-to-keep.md).
TMAP_ABI = 6:0:4

# Scotch, to compare with: `map --method scotch` loads this module, the only thing that needs libscotch.
EXTRA_DIST += \
	%D%/adapters/scotch-graph.c \
	%D%/adapters/scotch-machine.c \
	%D%/adapters/scotch-machine.h \
	%D%/adapters/scotch.c \
	%D%/tmap-scotch.h
if HAVE_SCOTCH
noinst_LTLIBRARIES += libtmap-scotch-core.la
libtmap_scotch_core_la_SOURCES = \
	%D%/adapters/scotch-graph.c \
	%D%/adapters/scotch-machine.c \
	%D%/adapters/scotch-machine.h \
	%D%/adapters/scotch.c \
	%D%/tmap-scotch.h
libtmap_scotch_core_la_CPPFLAGS = $(base_cppflags) $(SCOTCH_CPPFLAGS)
libtmap_scotch_core_la_LIBADD = $(SCOTCH_LIBS) -lm
pkglib_LTLIBRARIES += reseat-scotch.la
reseat_scotch_la_SOURCES =
reseat_scotch_la_LIBADD = libtmap-scotch-core.la libtmap-core.la -lm
reseat_scotch_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^tmap_mapping_find_scotch$$'
endif
