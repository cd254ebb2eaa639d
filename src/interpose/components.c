/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * components.c - see components.h. Open MPI's component topo/treematch hangs in
 * MPI_Dist_graph_create where any communicator of all processes has been made before (4.1.4, 5.0;
 * its issue 13918), and we make one in MPI_Init. What it is for, reordering, it does wrong (the
 * lists of neighbours stay behind) or not at all. So it is left out, unless the user has chosen the
 * components of that framework: by the environment, where mpirun's --mca comes as well, or in a
 * file of parameters.
 *
 * The framework is opened with the first topology, and then looks into the environment. It gets its
 * answer there and then (environment.c): a variable that is set would reach what the ranks start.
 */
#include "interpose/components.h"

#include <ctype.h>
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI

static int chosen;

void components_choose(void)
{
    __atomic_store_n(&chosen, 1, __ATOMIC_RELAXED);
}

/* Whether a file of parameters has a line `topo = ...`. One that cannot be read has none. */
static int file_sets_topo(const char *path)
{
    char line[1024];
    int found = 0;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file)) {
        const char *at = line;
        while (isspace((unsigned char)*at))
            at++;
        found = strncmp(at, "topo", 4) == 0;
        at += found ? 4 : 0;
        while (isspace((unsigned char)*at))
            at++;
        found = found && *at == '=';
    }
    if (file)
        fclose(file);
    return found;
}

/* The files that Open MPI has read, by its own word for them, which is in all versions since 1.7.
 * NULL: nobody knows. */
static const char *parameter_files(void)
{
    int (*find)(const char *, int *) =
        (int (*)(const char *, int *))dlsym(RTLD_DEFAULT, "mca_base_var_find_by_name");
    int (*get)(int, const void *, int *, const char **) =
        (int (*)(int, const void *, int *, const char **))dlsym(RTLD_DEFAULT,
                                                                "mca_base_var_get_value");
    const char **files = NULL;
    int index, source;
    if (!find || !get || find("mca_base_param_files", &index) ||
        get(index, &files, &source, NULL) || !files)
        return NULL;
    return *files;
}

static int files_set_topo(void)
{
    const char *files = parameter_files();
    char *copy = files ? strdup(files) : NULL, *save = NULL;
    int found = 0;
    for (char *path = copy ? strtok_r(copy, ",:", &save) : NULL; path && !found;
         path = strtok_r(NULL, ",:", &save))
        found = file_sets_topo(path);
    free(copy);
    return found;
}

const char *components_default(const char *name)
{
    if (strcmp(name, "OMPI_MCA_topo") != 0 || !__atomic_load_n(&chosen, __ATOMIC_RELAXED))
        return NULL;
    return files_set_topo() ? NULL : "^treematch";
}

#else /* no other MPI has components */

void components_choose(void)
{
}

const char *components_default(const char *name)
{
    (void)name;
    return NULL;
}

#endif
