# SPDX-License-Identifier: BSD-3-Clause
# src/page: pages and data as HTML and JSON, for the command
noinst_LTLIBRARIES += libreseat-page.la
libreseat_page_la_SOURCES = \
	%D%/document.c \
	%D%/document.h \
	%D%/frame.c \
	%D%/frame.h \
	%D%/json.c \
	%D%/json.h \
	%D%/markup.c \
	%D%/markup.h \
	%D%/template.c \
	%D%/template.h
nodist_libreseat_page_la_SOURCES = %D%/sources.h
%D%/frame.lo: %D%/sources.h
# The sources of texts and tables, and of pages, as arrays.
page_texts = change.tsv change.txt completions-bash.txt completions-fish.txt completions-zsh.txt \
	layouts.tsv layouts.txt map.tsv map.txt measure.txt report.tsv report.txt simulate.tsv simulate.txt verify.txt
page_sources = \
	$(srcdir)/%D%/frame.html $(srcdir)/%D%/page.css $(srcdir)/%D%/page.js \
	$(srcdir)/%D%/change.html $(srcdir)/%D%/history.html $(srcdir)/%D%/report.html $(srcdir)/%D%/report.css $(srcdir)/%D%/report.js \
	$(srcdir)/%D%/results.css $(srcdir)/%D%/tables.js $(srcdir)/%D%/verify.html $(srcdir)/%D%/compare.html \
	$(page_texts:%=$(srcdir)/%D%/%)
EXTRA_DIST += %D%/embed.sh \
	%D%/frame.html %D%/page.css %D%/page.js \
	%D%/change.html %D%/history.html %D%/report.html %D%/report.css %D%/report.js \
	%D%/results.css %D%/tables.js %D%/verify.html %D%/compare.html $(page_texts:%=%D%/%)
BUILT_SOURCES += %D%/sources.h
CLEANFILES += %D%/sources.h
%D%/sources.h: $(srcdir)/%D%/embed.sh $(page_sources)
	$(AM_V_GEN)$(MKDIR_P) %D% && $(SHELL) $(srcdir)/%D%/embed.sh $(page_sources) >$@.tmp && mv $@.tmp $@
