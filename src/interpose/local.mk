# SPDX-License-Identifier: BSD-3-Clause
# src/interpose, src/profiler, src/reorder: the preloaded libraries
# The same sources once for each MPI, and for the standard ABI, which any of them may have. It
# contributes include and link flags only; the wrappers are made from its mpi.h. A preloaded library shows nothing but the MPI functions.
EXTRA_DIST += %D%/calls.tbl %D%/generate.awk %D%/linked.c %D%/linked.sh
preload_sources = src/launcher/rank-variables.c src/launcher/rank-variables.h
preload_sources += \
	%D%/callbacks.c \
	%D%/direct.c \
	%D%/direct.h \
	%D%/environment.c \
	%D%/hooks.h \
	%D%/inherit.c \
	%D%/inherit.h \
	%D%/interpose.c \
	%D%/interpose.h \
	%D%/later-calls.h \
	%D%/left-wrapper.c \
	%D%/leave-status.c \
	%D%/leave-status.h \
	%D%/lifecycle.c \
	%D%/lifecycle.h \
	%D%/override.h \
	%D%/preload.c \
	%D%/preload.h \
	%D%/registered.c \
	%D%/registered.h \
	%D%/runtime.c \
	%D%/runtime.h \
	%D%/session-recorder.c \
	%D%/session-recorder.h \
	%D%/sessions.c \
	%D%/sessions.h \
	%D%/tools.c \
	%D%/tools.h \
	%D%/topology-calls.c \
	%D%/topology-calls.h \
	%D%/world.c \
	%D%/world.h
include src/interpose/meeting/local.mk
include src/comm/local.mk
include src/profiler/local.mk
include src/reorder/local.mk
# What we call ourselves is never another tool's (-Bsymbolic-functions), and what is called at exit stays (nodelete).
preload_ldflags = -module -avoid-version -shared -Wl,-Bsymbolic-functions -Wl,--gc-sections \
	-Wl,-z,nodelete
preload_libadd = libreseat-collectives.la libreseat-predict.la libreseat-time-model.la \
	libreseat-profile.la libreseat-network.la libreseat-timings.la libreseat-text.la libreseat-base.la \
	libtmap-hwloc-core.la libtmap-core.la
preload_generator = $(srcdir)/%D%/generate.awk $(srcdir)/%D%/calls.tbl

if HAVE_OPENMPI
pkglib_LTLIBRARIES += libreseat-openmpi.la
libreseat_openmpi_la_SOURCES = $(preload_sources) \
	%D%/fortran.c \
	%D%/fortran.h
nodist_libreseat_openmpi_la_SOURCES = wrappers-openmpi.c
libreseat_openmpi_la_CPPFLAGS = $(base_cppflags) -I$(builddir)/openmpi $(OPENMPI_CPPFLAGS)
openmpi_monitoring = mca_common_monitoring_(init|finalize|coll_cache_name|record_pml)
libreseat_openmpi_la_LDFLAGS = $(preload_ldflags) -export-symbols-regex \
	'^P?MPIX?_|^p?mpi_|^ompi_.*_f$$|^$(openmpi_monitoring)$$|^(secure_)?getenv$$|^PMIx_Commit$$'
libreseat_openmpi_la_LIBADD = libreseat-choices-openmpi.la $(preload_libadd) $(OPENMPI_LIBS)
BUILT_SOURCES += openmpi/declared.h
CLEANFILES += wrappers-openmpi.c mpi-openmpi.i openmpi/declared.h
endif
if HAVE_ABI
pkglib_LTLIBRARIES += libreseat-abi.la
libreseat_abi_la_SOURCES = $(preload_sources) \
	%D%/meeting/key-space-pmi.c
nodist_libreseat_abi_la_SOURCES = wrappers-abi.c
libreseat_abi_la_CPPFLAGS = $(base_cppflags) -I$(builddir)/abi $(ABI_CPPFLAGS)
libreseat_abi_la_LDFLAGS = $(preload_ldflags) -export-symbols-regex \
	'^P?MPIX?_|^(secure_)?getenv$$|^PMIx_Commit$$'
libreseat_abi_la_LIBADD = libreseat-choices-abi.la $(preload_libadd) $(ABI_LIBS)
BUILT_SOURCES += abi/declared.h
CLEANFILES += wrappers-abi.c mpi-abi.i abi/declared.h
endif
if HAVE_MPICH
pkglib_LTLIBRARIES += libreseat-mpich.la
libreseat_mpich_la_SOURCES = $(preload_sources) \
	%D%/meeting/key-space-pmi.c
nodist_libreseat_mpich_la_SOURCES = wrappers-mpich.c
libreseat_mpich_la_CPPFLAGS = $(base_cppflags) -I$(builddir)/mpich $(MPICH_CPPFLAGS)
mpich_fortran = MPII_(Comm_[gs]et_attr|Keyval_set_proxy|Errhandler_set_cxx)
libreseat_mpich_la_LDFLAGS = $(preload_ldflags) -export-symbols-regex \
	'^P?MPIX?_|^$(mpich_fortran)$$|^(secure_)?getenv$$|^PMIx_Commit$$'
libreseat_mpich_la_LIBADD = libreseat-choices-mpich.la $(preload_libadd) $(MPICH_LIBS)
BUILT_SOURCES += mpich/declared.h
CLEANFILES += wrappers-mpich.c mpi-mpich.i mpich/declared.h
if HAVE_OBJECT_TOOLS
# The same as an object that is linked into programs with a static MPI, and the linker's options for that.
linkeddir = $(pkglibdir)
nodist_linked_DATA = .libs/libreseat-mpich.o .libs/libreseat-mpich.link
endif
endif
.libs/libreseat-mpich.o: libreseat-mpich.la %D%/linked.c %D%/linked.sh
	$(AM_V_GEN)CC='$(CC) $(CFLAGS)' CPPFLAGS='$(base_cppflags)' LD='$(LD)' NM='$(NM)' OBJCOPY='$(OBJCOPY)' LIBS='$(HWLOC_LIBS) $(LIBS) -lpthread -ldl -lm' \
	  $(SHELL) $(srcdir)/%D%/linked.sh mpich $(srcdir)/%D%/linked.c $@ .libs/libreseat-mpich.link \
	  $(libreseat_mpich_la_OBJECTS) $(libreseat_mpich_la_LIBADD)
.libs/libreseat-mpich.link: .libs/libreseat-mpich.o

mpi-abi.i: config.status
	$(AM_V_GEN)echo '#include <mpi.h>' | $(CC) $(ABI_CPPFLAGS) -x c -E -P - > $@
mpi-openmpi.i: config.status
	$(AM_V_GEN)printf '#include <%s>\n' mpi.h mpi-ext.h | $(CC) $(OPENMPI_CPPFLAGS) -x c -E -P - > $@
mpi-mpich.i: config.status
	$(AM_V_GEN)echo '#include <mpi.h>' | $(CC) $(MPICH_CPPFLAGS) -x c -E -P - > $@
wrappers-abi.c: mpi-abi.i $(preload_generator)
	$(AM_V_GEN)$(AWK) -f $(preload_generator) mpi-abi.i > $@.tmp && mv $@.tmp $@
wrappers-openmpi.c: mpi-openmpi.i $(preload_generator)
	$(AM_V_GEN)$(AWK) -f $(preload_generator) mpi-openmpi.i > $@.tmp && mv $@.tmp $@
wrappers-mpich.c: mpi-mpich.i $(srcdir)/%D%/later-calls.h $(preload_generator)
	$(AM_V_GEN)$(AWK) -f $(preload_generator) mpi-mpich.i $(srcdir)/%D%/later-calls.h > $@.tmp && mv $@.tmp $@
abi/declared.h: mpi-abi.i $(preload_generator)
	$(AM_V_GEN)mkdir -p abi && \
	$(AWK) -v declared=1 -f $(preload_generator) mpi-abi.i > $@.tmp && mv $@.tmp $@
openmpi/declared.h: mpi-openmpi.i $(preload_generator)
	$(AM_V_GEN)mkdir -p openmpi && \
	$(AWK) -v declared=1 -f $(preload_generator) mpi-openmpi.i > $@.tmp && mv $@.tmp $@
mpich/declared.h: mpi-mpich.i $(preload_generator)
	$(AM_V_GEN)mkdir -p mpich && \
	$(AWK) -v declared=1 -f $(preload_generator) mpi-mpich.i > $@.tmp && mv $@.tmp $@
