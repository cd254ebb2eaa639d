/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * components.c - see components.h. Open MPI's component topo/treematch hangs in
 * MPI_Dist_graph_create if any communicator of all processes has been made before (4.1.4, 5.0; its
 * issue 13918), and a reordered world is one. Reordering, its purpose, it does wrong (the lists of
 * neighbors stay behind) or not at all. So it is disabled, unless the user has chosen the
 * components of that framework: by the environment, which includes mpirun's --mca, or in a file of
 * parameters, which includes those of mpirun's -am and -tune.
 *
 * The framework is opened with the first topology, and reads the environment then. It gets our
 * answer at that point (environment.c), because a variable would be inherited by what the ranks
 * start.
 */
#include "interpose/components.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OPEN_MPI

static int components_left_out;

void components_choose(void)
{
    __atomic_store_n(&components_left_out, 1, __ATOMIC_RELAXED);
}

static int components_is_topo(const char *name)
{
    return strcmp(name, "topo") == 0 || strcmp(name, "ompi_topo") == 0;
}

/* Whether a line sets the components of topo: `topo = ...', or, in the files of mpirun's -tune,
 * `-mca topo ...' anywhere. */
static int components_line_sets_topo(char *line)
{
    static const char blanks[] = " \t\r\n";
    char *save = NULL, *equals = strchr(line, '=');
    if (equals && line[strspn(line, blanks)] != '-') {
        *equals = '\0';
        char *name = strtok_r(line, blanks, &save);
        return name && components_is_topo(name);
    }
    int is_name = 0; /* the word before was an option that takes a name */
    for (char *word = strtok_r(line, blanks, &save); word; word = strtok_r(NULL, blanks, &save)) {
        if (is_name && components_is_topo(word))
            return 1;
        is_name = strcmp(word, "-mca") == 0 || strcmp(word, "--mca") == 0;
    }
    return 0;
}

/* A file that cannot be read sets nothing. */
static int components_file_sets_topo(const char *path)
{
    char line[1024];
    int found = 0;
    FILE *file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof line, file))
        found = components_line_sets_topo(line);
    if (file)
        fclose(file);
    return found;
}

/* A list of files in a parameter of Open MPI, as Open MPI itself reports it, by functions that
 * exist since 1.7. NULL: none. */
static const char *components_files(const char *parameter)
{
    int (*find)(const char *, int *) =
        (int (*)(const char *, int *))dlsym(RTLD_DEFAULT, "mca_base_var_find_by_name");
    int (*get)(int, const void *, int *, const char **) =
        (int (*)(int, const void *, int *, const char **))dlsym(RTLD_DEFAULT,
                                                                "mca_base_var_get_value");
    const char **files = NULL;
    int index, source;
    if (!find || !get || find(parameter, &index) || get(index, &files, &source, NULL) || !files)
        return NULL;
    return *files;
}

/* The files that Open MPI has read: the administrator's and the user's, and those of mpirun -am
 * (appended to the first list; 4.1.4 then looks for one file by all their names, but the user has
 * made a choice); those of mpirun -tune; the administrator's overrides. PRRTE, the mpirun of Open
 * MPI 5, reads -am and -tune itself and passes their contents on as variables. */
static int components_files_set_topo(void)
{
    static const char *const lists[] = {"mca_base_param_files", "mca_base_envar_file_prefix",
                                        "mca_base_override_param_file"};
    int found = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !found; i++) {
        const char *files = components_files(lists[i]);
        char *copy = files ? strdup(files) : NULL, *save = NULL;
        for (char *path = copy ? strtok_r(copy, ",:", &save) : NULL; path && !found;
             path = strtok_r(NULL, ",:", &save))
            found = components_file_sets_topo(path);
        free(copy);
    }
    return found;
}

const char *components_default(const char *name)
{
    if (strcmp(name, "OMPI_MCA_topo") != 0 ||
        !__atomic_load_n(&components_left_out, __ATOMIC_RELAXED))
        return NULL;
    return components_files_set_topo() ? NULL : "^treematch";
}

#else /* other MPIs have no components */

void components_choose(void)
{
}

const char *components_default(const char *name)
{
    (void)name;
    return NULL;
}

#endif
