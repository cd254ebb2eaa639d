/* SPDX-License-Identifier: BSD-3-Clause */
/* topology-form.h - which kind of description a file is, by its content. */
#ifndef RESEAT_TOPOLOGY_FORM_H
#define RESEAT_TOPOLOGY_FORM_H

enum topology_form {
    TOPOLOGY_OTHER,    /* for hwloc: XML, a synthetic text, "this"; or no file, or an empty one */
    TOPOLOGY_SWITCHES, /* switches.h; also what is none of these */
    TOPOLOGY_NETLOC,   /* netloc.h */
    TOPOLOGY_COORDINATES, /* coordinates.h */
    TOPOLOGY_SLURM_TORUS, /* the same, a slurm.conf with TopologyPlugin=topology/3d_torus */
    TOPOLOGY_SLURM_YAML,  /* slurm-yaml.h */
    TOPOLOGY_FABRIC,      /* fabric.h */
    TOPOLOGY_PLATFORM,    /* platform.h */
    TOPOLOGY_NONE         /* a profile or timings: no description of a machine */
};

/* Looks at the beginning of the file, up to the first line that is no comment; at all of it if that
 * line is one of a slurm.conf. */
enum topology_form topology_form_of(const char *path);

#endif
