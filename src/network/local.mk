# SPDX-License-Identifier: BSD-3-Clause
# src/network: what is above the nodes, from many forms
noinst_LTLIBRARIES += libreseat-network.la
libreseat_network_la_SOURCES = \
	%D%/block-sizes.h \
	%D%/card.c \
	%D%/card.h \
	%D%/coordinates.c \
	%D%/coordinates.h \
	%D%/fabric-levels.c \
	%D%/fabric-lines.h \
	%D%/fabric-network.c \
	%D%/fabric.c \
	%D%/fabric.h \
	%D%/host-places.c \
	%D%/host-places.h \
	%D%/leaf.c \
	%D%/leaf.h \
	%D%/location.c \
	%D%/location.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/netloc-lines.h \
	%D%/netloc-machine.c \
	%D%/netloc-network.c \
	%D%/netloc-write.c \
	%D%/netloc.c \
	%D%/netloc.h \
	%D%/network-source.c \
	%D%/network-source.h \
	%D%/network.c \
	%D%/network.h \
	%D%/platform.c \
	%D%/platform.h \
	%D%/slurm-torus.c \
	%D%/slurm-yaml.c \
	%D%/slurm-yaml.h \
	%D%/switches-lines.c \
	%D%/switches-lines.h \
	%D%/switches.c \
	%D%/switches.h \
	%D%/topology-form.c \
	%D%/topology-form.h
