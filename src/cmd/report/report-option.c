/* SPDX-License-Identifier: BSD-3-Clause */
/* report-option.c - see report-option.h. */
#include "cmd/report/report-option.h"

#include <stdlib.h>
#include <string.h>

static const double OPTION_LEAST_SHARE = 0.5;

/* The launcher that an MPI comes with; LAUNCHER_FAMILIES: not known. */
static enum launcher_family option_family_of(const char *mpi)
{
    const char *openmpi = mpi ? strstr(mpi, "Open MPI") : NULL;
    if (openmpi) {
        long release = strtol(openmpi + strcspn(openmpi, "0123456789"), NULL, 10);
        return release >= 5 ? LAUNCHER_FAMILY_OPENMPI5 : LAUNCHER_FAMILY_OPENMPI;
    }
    return mpi && strstr(mpi, "MPICH") ? LAUNCHER_FAMILY_HYDRA : LAUNCHER_FAMILIES;
}

/* 0, or -1 with *error. */
static int option_find(struct report_option *found, const struct regular_machine *machine,
                       const struct prediction *p, struct reseat_error *error)
{
    struct regular_option option;
    if (found->family == LAUNCHER_FAMILIES)
        return 0;
    int rc = regular_option_find(&option, found->family, machine, p->matrix, p->tree);
    if (rc < 0)
        return reseat_fail(error, "options of launchers: out of memory");
    double share = rc > 0 ? (p->before.cost - option.cost) / (p->before.cost - p->after.cost) : 0;
    if (share >= OPTION_LEAST_SHARE) {
        found->share = share;
        strcpy(found->words, option.words);
    }
    return 0;
}

int report_options_find(struct report_options *options, const struct prediction *p,
                        const struct reseat_profile *profile, int has_seats,
                        struct reseat_error *error)
{
    struct regular_machine machine = {.slot_at = NULL};
    int32_t ranks = tmap_matrix_roles(p->matrix);
    struct report_options found = {.own.family =
                                       option_family_of(reseat_profile_header(profile, "mpi")),
                                   .srun.family = LAUNCHER_FAMILY_SRUN};
    if (p->objective != RESEAT_OBJECTIVE_COST || p->after.cost >= p->before.cost)
        return 0;
    int rc = has_seats ? regular_machine_open_launch(&machine, p->tree, p->launch, ranks, error)
                       : regular_machine_open(&machine, p->tree, error);
    if (rc == 0)
        rc = option_find(&found.own, &machine, p, error);
    if (rc == 0)
        rc = option_find(&found.srun, &machine, p, error);
    regular_machine_close(&machine);
    if (rc == 0)
        *options = found;
    return rc;
}

void report_options_write(FILE *file, const struct report_options *options)
{
    const struct report_option *own = &options->own, *srun = &options->srun;
    if (own->share == 0 && srun->share == 0)
        return;
    fprintf(file, "The option ");
    if (own->share > 0)
        fprintf(file, "%s of %s has %.0f %% of that gain", own->words,
                launcher_family_title(own->family), 100 * own->share);
    if (own->share > 0 && srun->share > 0)
        fprintf(file, ", %s of srun %.0f %%", srun->words, 100 * srun->share);
    else if (srun->share > 0)
        fprintf(file, "%s of srun has %.0f %% of that gain", srun->words, 100 * srun->share);
    fprintf(file, " (map --layouts has more).\n");
}

void report_options_write_table(FILE *file, const struct report_options *options)
{
    const struct report_option *option[] = {&options->own, &options->srun};
    for (int i = 0; i < 2; i++)
        if (option[i]->share > 0)
            fprintf(file, "option_%s\t%s\noption_%s_share\t%.4f\n",
                    launcher_family_name(option[i]->family), option[i]->words,
                    launcher_family_name(option[i]->family), option[i]->share);
}
