# SPDX-License-Identifier: BSD-3-Clause
# src/programs: MPI programs of ours, which commands start in the place of the user's
# For each MPI as the preloaded libraries, and installed beside them, where the command finds both.
modulesexecdir = $(pkglibdir)
replay_sources = \
	%D%/finish.c \
	%D%/finish.h \
	%D%/replay-load.c \
	%D%/replay-load.h \
	%D%/replay-pairs.c \
	%D%/replay-pairs.h \
	%D%/replay-rounds.c \
	%D%/replay-rounds.h \
	%D%/replay-program.c \
	%D%/report-lines.h \
	%D%/simulated.h
measure_sources = \
	%D%/finish.c \
	%D%/finish.h \
	%D%/measure-plan.c \
	%D%/measure-plan.h \
	%D%/measure-program.c \
	%D%/measure-rounds.c \
	%D%/measure-rounds.h \
	%D%/measure-tasks.c \
	%D%/measure-tasks.h \
	%D%/report-lines.h \
	%D%/simulated.h \
	src/reorder/network-gather.c \
	src/reorder/network-gather.h \
	src/reorder/node-place.c \
	src/reorder/node-place.h \
	src/reorder/seats.c \
	src/reorder/seats.h \
	src/reorder/trouble.c \
	src/reorder/trouble.h \
	src/comm/rank-tree.c \
	src/comm/rank-tree.h \
	src/comm/waiting.c \
	src/comm/waiting.h
programs_ldadd = libreseat-profile.la libreseat-network.la libreseat-timings.la libreseat-text.la libreseat-base.la libtmap-hwloc-core.la libtmap-core.la
EXTRA_DIST += $(measure_sources) $(replay_sources)
if HAVE_ABI
abi_programs = reseat-measure-abi reseat-replay-abi
reseat_measure_abi_SOURCES = $(measure_sources)
reseat_measure_abi_CPPFLAGS = $(base_cppflags) -I$(builddir)/abi $(ABI_CPPFLAGS)
reseat_measure_abi_LDADD = $(programs_ldadd) -lm $(ABI_LIBS)
reseat_replay_abi_SOURCES = $(replay_sources)
reseat_replay_abi_CPPFLAGS = $(base_cppflags) -I$(builddir)/abi $(ABI_CPPFLAGS)
reseat_replay_abi_LDADD = $(programs_ldadd) $(ABI_LIBS)
endif
if HAVE_OPENMPI
openmpi_programs = reseat-measure-openmpi reseat-replay-openmpi
reseat_measure_openmpi_SOURCES = $(measure_sources)
reseat_measure_openmpi_CPPFLAGS = $(base_cppflags) -I$(builddir)/openmpi $(OPENMPI_CPPFLAGS)
reseat_measure_openmpi_LDADD = $(programs_ldadd) -lm $(OPENMPI_LIBS)
reseat_replay_openmpi_SOURCES = $(replay_sources)
reseat_replay_openmpi_CPPFLAGS = $(base_cppflags) -I$(builddir)/openmpi $(OPENMPI_CPPFLAGS)
reseat_replay_openmpi_LDADD = $(programs_ldadd) $(OPENMPI_LIBS)
endif
if HAVE_MPICH
mpich_programs = reseat-measure-mpich reseat-replay-mpich
reseat_measure_mpich_SOURCES = $(measure_sources)
reseat_measure_mpich_CPPFLAGS = $(base_cppflags) -I$(builddir)/mpich $(MPICH_CPPFLAGS)
reseat_measure_mpich_LDADD = $(programs_ldadd) -lm $(MPICH_LIBS)
reseat_replay_mpich_SOURCES = $(replay_sources)
reseat_replay_mpich_CPPFLAGS = $(base_cppflags) -I$(builddir)/mpich $(MPICH_CPPFLAGS)
reseat_replay_mpich_LDADD = $(programs_ldadd) $(MPICH_LIBS)
endif
# SimGrid runs all ranks in one process, which loads the program once for each: so it is a module.
if HAVE_SIMGRID
pkglib_LTLIBRARIES += reseat-measure-simgrid.la reseat-replay-simgrid.la
simgrid_cppflags = $(base_cppflags) -DRESEAT_SIMULATED -DSMPI_NO_OVERRIDE_MALLOC $(SIMGRID_CPPFLAGS) \
	-include $(srcdir)/%D%/simulated.h
simgrid_ldflags = -module -avoid-version -shared -export-symbols-regex '^main$$'
reseat_measure_simgrid_la_SOURCES = $(measure_sources)
reseat_measure_simgrid_la_CPPFLAGS = $(simgrid_cppflags)
reseat_measure_simgrid_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
reseat_measure_simgrid_la_LDFLAGS = $(simgrid_ldflags)
reseat_measure_simgrid_la_LIBADD = $(programs_ldadd) -lm $(SIMGRID_LIBS)
reseat_replay_simgrid_la_SOURCES = $(replay_sources)
reseat_replay_simgrid_la_CPPFLAGS = $(simgrid_cppflags)
reseat_replay_simgrid_la_CFLAGS = $(AM_CFLAGS) -fvisibility=default
reseat_replay_simgrid_la_LDFLAGS = $(simgrid_ldflags)
reseat_replay_simgrid_la_LIBADD = $(programs_ldadd) $(SIMGRID_LIBS)
endif
# Without any MPI, uninstall would look for a folder that was never made.
if HAVE_MPI
modulesexec_PROGRAMS = $(abi_programs) $(openmpi_programs) $(mpich_programs)
endif
