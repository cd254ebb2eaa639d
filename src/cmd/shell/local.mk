# SPDX-License-Identifier: BSD-3-Clause
# src/cmd/shell: what all commands use: options, errors, terminals, what they load and save
reseat_SOURCES += \
	%D%/amount.c \
	%D%/amount.h \
	%D%/complain.c \
	%D%/complain.h \
	%D%/library.c \
	%D%/library.h \
	%D%/load-traffic.c \
	%D%/load-traffic.h \
	%D%/machine-load.c \
	%D%/machine-load.h \
	%D%/options-parse.c \
	%D%/options.c \
	%D%/options.h \
	%D%/output-file.c \
	%D%/output-file.h \
	%D%/page-parts.c \
	%D%/page-parts.h \
	%D%/picture-file.c \
	%D%/picture-file.h \
	%D%/profile-seats.c \
	%D%/profile-seats.h \
	%D%/profile-summary.c \
	%D%/profile-summary.h \
	%D%/progress.c \
	%D%/progress.h \
	%D%/scotch-module.c \
	%D%/scotch-module.h \
	%D%/shell-word.c \
	%D%/shell-word.h \
	%D%/spelling.c \
	%D%/spelling.h \
	%D%/terminal.c \
	%D%/terminal.h \
	%D%/time-forecast.c \
	%D%/time-forecast.h \
	%D%/watched-job.c \
	%D%/watched-job.h \
	%D%/word-list.c \
	%D%/word-list.h
# Where the modules will be, and how one gets there from the command, for the prefix of this make: written anew
# when it is another one than before.
%D%/reseat-library.$(OBJEXT): %D%/paths.h
%D%/paths.h: reseat-force
	@$(MKDIR_P) %D%
	@$(AWK) -v bindir='$(bindir)' -v pkglibdir='$(pkglibdir)' -f $(srcdir)/%D%/paths.awk >$@.$$$$.tmp && \
	  if cmp -s $@.$$$$.tmp $@; then rm -f $@.$$$$.tmp; else mv $@.$$$$.tmp $@; fi
EXTRA_DIST += %D%/paths.awk
CLEANFILES += %D%/paths.h
