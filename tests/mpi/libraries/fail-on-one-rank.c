/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fail-on-one-rank.c - to be preloaded after the library: on rank FAIL_RANK the FAIL_CALL-th call
 * of FAIL_FUNCTION returns an error, as if that process were out of memory. What is collective has
 * been done before, so that the other ranks succeed. FAIL_LOSES=1: a message is lost instead: MPI says nothing, and it
 * never goes or comes.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* With FAIL_NODES no process knows on which node it is. */
int stat(const char *path, struct stat *found)
{
    if (getenv("FAIL_NODES") && strcmp(path, "/proc/self/ns/net") == 0)
        return -1;
    return fstatat(AT_FDCWD, path, found, 0);
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

/* A receive that nothing matches stands for the message. */
static int lose(MPI_Comm comm, MPI_Request *request)
{
    static char nothing;
    int (*receive)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *) =
        (int (*)(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *))dlsym(RTLD_NEXT,
                                                                                     "PMPI_Irecv");
    return getenv("FAIL_LOSES") ? receive(&nothing, 1, MPI_BYTE, 0, 4711, comm, request)
                                : MPI_ERR_OTHER;
}

#define FAILING_MESSAGE(NAME, CONST, PEER)                                                        \
    int P##NAME(CONST void *data, int count, MPI_Datatype type, int PEER, int tag, MPI_Comm comm, \
                MPI_Request *request)                                                             \
    {                                                                                             \
        static int (*real)(CONST void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);   \
        if (!real)                                                                                \
            real = (int (*)(CONST void *, int, MPI_Datatype, int, int, MPI_Comm,                  \
                            MPI_Request *))dlsym(RTLD_NEXT, "P" #NAME);                           \
        return fails(#NAME) ? lose(comm, request)                                                 \
                            : real(data, count, type, PEER, tag, comm, request);                  \
    }
FAILING_MESSAGE(MPI_Isend, const, to)
FAILING_MESSAGE(MPI_Issend, const, to)
FAILING_MESSAGE(MPI_Irecv, , from)
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
