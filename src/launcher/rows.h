/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.h - private to the files of the table: others use launcher.h. */
#ifndef RESEAT_LAUNCHER_ROWS_H
#define RESEAT_LAUNCHER_ROWS_H

#include "launcher/launcher.h"

enum {
    LAUNCHER_FORMAT_OPENMPI,
    LAUNCHER_FORMAT_RANKFILE,
    LAUNCHER_FORMAT_PRRTE,
    LAUNCHER_FORMAT_HYDRA,
    LAUNCHER_FORMAT_INTEL,
    LAUNCHER_FORMAT_SLURM,
    LAUNCHER_FORMAT_CRAY,
    LAUNCHER_FORMAT_FLUX,
    LAUNCHER_FORMAT_LSF,
    LAUNCHER_FORMAT_SIMGRID,
    LAUNCHER_FORMATS
};
extern const struct launcher_format launcher_formats[LAUNCHER_FORMATS];

extern const struct launcher launcher_openmpi, launcher_openmpi5, launcher_prrte, launcher_hydra,
    launcher_intel, launcher_srun, launcher_flux, launcher_aprun, launcher_jsrun,
    launcher_mpirun_rsh, launcher_smpirun;

#endif
