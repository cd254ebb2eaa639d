# SPDX-License-Identifier: BSD-3-Clause
# src/draw: machines as text and pictures, charts; for the command
noinst_LTLIBRARIES += libreseat-draw.la
libreseat_draw_la_SOURCES = \
	%D%/axis.c \
	%D%/axis.h \
	%D%/chart.h \
	%D%/chart-bars.c \
	%D%/chart-boxes.c \
	%D%/chart-curves.c \
	%D%/chart-frame.c \
	%D%/chart-frame.h \
	%D%/chart-pairs.c \
	%D%/diagram.c \
	%D%/diagram.h \
	%D%/distribution.c \
	%D%/distribution.h \
	%D%/graphviz.c \
	%D%/layout.c \
	%D%/layout.h \
	%D%/layout-network.c \
	%D%/links.c \
	%D%/links.h \
	%D%/lists.c \
	%D%/machine-forms.h \
	%D%/netloc-view.c \
	%D%/outline.c \
	%D%/outline.h \
	%D%/picture.c \
	%D%/picture.h \
	%D%/scotch-text.c \
	%D%/simgrid-platform.c \
	%D%/synthetic.c \
	%D%/text.c \
	%D%/text.h \
	%D%/view.c \
	%D%/view.h
# Pictures as PNG: `--png` loads this module, the only thing that needs cairo.
EXTRA_DIST += %D%/picture-cairo.c
if HAVE_CAIRO
pkglib_LTLIBRARIES += reseat-cairo.la
reseat_cairo_la_SOURCES = %D%/picture-cairo.c %D%/picture.h
reseat_cairo_la_CPPFLAGS = $(base_cppflags) $(CAIRO_CFLAGS)
reseat_cairo_la_LIBADD = $(CAIRO_LIBS) -lm
reseat_cairo_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^picture_write_png$$'
endif
