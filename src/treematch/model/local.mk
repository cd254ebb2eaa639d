# SPDX-License-Identifier: BSD-3-Clause
# src/treematch/model: trees, matrices, networks, and what a mapping costs
libtmap_core_la_SOURCES += \
	%D%/aggregate.c \
	%D%/cost.c \
	%D%/distance.c \
	%D%/distance.h \
	%D%/grid-pattern.c \
	%D%/grid-pattern.h \
	%D%/heaviest.c \
	%D%/interconnect-search.c \
	%D%/interconnect-search.h \
	%D%/interconnect-table.c \
	%D%/interconnect.c \
	%D%/interconnect.h \
	%D%/link-loads.c \
	%D%/link-routes.c \
	%D%/link-routes.h \
	%D%/mapping.c \
	%D%/matrix-dense.c \
	%D%/matrix-directed.c \
	%D%/matrix-part.c \
	%D%/matrix-rows.c \
	%D%/matrix.c \
	%D%/objects.h \
	%D%/permutation.c \
	%D%/places.c \
	%D%/problem.h \
	%D%/shape-words.c \
	%D%/shape-words.h \
	%D%/subtree-classes.c \
	%D%/thin.c \
	%D%/tree-copy.c \
	%D%/tree-costs.c \
	%D%/tree-parse.c \
	%D%/tree-paths.c \
	%D%/tree-shape.c \
	%D%/tree.c \
	%D%/wide.c \
	%D%/wide.h
