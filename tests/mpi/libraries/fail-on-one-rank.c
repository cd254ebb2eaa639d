/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail-on-one-rank.c - to be preloaded after the library: on rank FAIL_RANK the FAIL_CALL-th call
 * of FAIL_FUNCTION returns an error, as if that process were out of memory. What is collective has
 * been done before, so that the other ranks succeed.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int wanted(const char *name, const char *value)
{
    const char *text = getenv(name);
    return text && strcmp(text, value) == 0;
}

static int is_the_rank(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"};
    const char *rank = NULL;
    for (int i = 0; i < 3 && !rank; i++)
        rank = getenv(names[i]);
    return rank && wanted("FAIL_RANK", rank);
}

static int fails(const char *name)
{
    static int calls;
    const char *which = getenv("FAIL_CALL");
    return is_the_rank() && wanted("FAIL_FUNCTION", name) && ++calls == (which ? atoi(which) : 1);
}

/* Local, or of one rank, which does nothing; collective, with a handle as its result. */
#define FAILING_LOCAL(NAME, PARAMETERS, ARGUMENTS)                 \
    int P##NAME PARAMETERS                                         \
    {                                                              \
        static int(*real) PARAMETERS;                              \
        if (!real)                                                 \
            real = (int(*) PARAMETERS)dlsym(RTLD_NEXT, "P" #NAME); \
        return fails(#NAME) ? MPI_ERR_OTHER : real ARGUMENTS;      \
    }
#define FAILING_COLLECTIVE(NAME, PARAMETERS, ARGUMENTS)            \
    int P##NAME PARAMETERS                                         \
    {                                                              \
        static int(*real) PARAMETERS;                              \
        MPI_Comm made = MPI_COMM_NULL, *result = &made;            \
        if (!real)                                                 \
            real = (int(*) PARAMETERS)dlsym(RTLD_NEXT, "P" #NAME); \
        if (fails(#NAME))                                          \
            return real ARGUMENTS, MPI_ERR_OTHER;                  \
        result = newcomm;                                          \
        return real ARGUMENTS;                                     \
    }

FAILING_LOCAL(MPI_Comm_group, (MPI_Comm comm, MPI_Group *group), (comm, group))
FAILING_LOCAL(MPI_Type_contiguous, (int count, MPI_Datatype old, MPI_Datatype *type),
              (count, old, type))
FAILING_LOCAL(MPI_Send,
              (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
              (data, count, type, to, tag, comm))
FAILING_LOCAL(MPI_Recv,
              (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Status *status),
              (data, count, type, from, tag, comm, status))
FAILING_COLLECTIVE(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *newcomm),
                   (comm, color, key, result))
FAILING_COLLECTIVE(MPI_Comm_split_type,
                   (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *newcomm),
                   (comm, type, key, info, result))
FAILING_COLLECTIVE(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm),
                   (comm, group, result))
FAILING_COLLECTIVE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm), (comm, result))
FAILING_COLLECTIVE(MPI_Dist_graph_create_adjacent,
                   (MPI_Comm comm, int in, const int sources[], const int in_weights[], int out,
                    const int targets[], const int out_weights[], MPI_Info info, int reorder,
                    MPI_Comm *newcomm),
                   (comm, in, sources, in_weights, out, targets, out_weights, info, reorder,
                    result))
