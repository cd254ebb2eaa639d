/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * count-own-calls.c - preloaded after the library: what that does of itself in MPI_Init (up to the
 * program's first barrier) and in MPI_Finalize (from its second one on). Each rank leaves two lines
 * in the folder COUNTS, in a file with its number in launch order:
 *
 *   MPI_Init|MPI_Finalize, then how many messages it has sent, of how many bytes together, how many
 *   it has received, how many collective calls it has made, how many files it has opened
 */
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct counts {
    long sent, bytes, received, collectives, files;
} counts[2], nothing;

static int is_started;
static int barriers; /* of the program */

/* Between the barriers nothing counts. */
static struct counts *now(void)
{
    return !is_started     ? &nothing
           : barriers == 0 ? &counts[0]
           : barriers == 1 ? &nothing
                           : &counts[1];
}

static long bytes_of(int count, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    return (long)count * size;
}

#define REAL(NAME, RESULT, PARAMETERS) \
    static RESULT(*real) PARAMETERS;   \
    if (!real)                         \
    real = (RESULT(*) PARAMETERS)dlsym(RTLD_NEXT, NAME)

#define SENDING(NAME)                                                                           \
    int P##NAME(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, \
                MPI_Request *request)                                                           \
    {                                                                                           \
        REAL("P" #NAME, int,                                                                    \
             (const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));             \
        now()->sent++;                                                                          \
        now()->bytes += bytes_of(count, type);                                                  \
        return real(data, count, type, to, tag, comm, request);                                 \
    }
SENDING(MPI_Isend)
SENDING(MPI_Issend)

int PMPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    REAL("PMPI_Irecv", int, (void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *));
    now()->received++;
    return real(data, count, type, from, tag, comm, request);
}

#define COLLECTIVE(NAME, PARAMETERS, ARGUMENTS) \
    int P##NAME PARAMETERS                      \
    {                                           \
        REAL("P" #NAME, int, PARAMETERS);       \
        now()->collectives++;                   \
        return real ARGUMENTS;                  \
    }
COLLECTIVE(MPI_Allreduce,
           (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (mine, all, count, type, op, comm))
COLLECTIVE(MPI_Iallreduce,
           (const void *mine, void *all, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
            MPI_Request *request),
           (mine, all, count, type, op, comm, request))
COLLECTIVE(MPI_Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (data, count, type, root, comm))
COLLECTIVE(MPI_Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *result),
           (comm, group, result))
COLLECTIVE(MPI_Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *result),
           (comm, color, key, result))
COLLECTIVE(MPI_Comm_dup, (MPI_Comm comm, MPI_Comm *result), (comm, result))
COLLECTIVE(MPI_Comm_free, (MPI_Comm * comm), (comm))

/* The library asks for that first, once the MPI's own MPI_Init has returned. */
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    REAL("PMPI_Comm_get_parent", int, (MPI_Comm *));
    is_started = 1;
    return real(parent);
}

int PMPI_Barrier(MPI_Comm comm)
{
    REAL("PMPI_Barrier", int, (MPI_Comm));
    int rc = real(comm);
    barriers++;
    return rc;
}

/* Files that the library opens, or hwloc for it. */
static void count_file(const void *caller)
{
    Dl_info info;
    if (dladdr(caller, &info) &&
        (strstr(info.dli_fname, "/libreseat-") || strstr(info.dli_fname, "/libhwloc")))
        now()->files++;
}

#define OPENING(NAME, RESULT, PARAMETERS, ARGUMENTS)              \
    __attribute__((visibility("default"))) RESULT NAME PARAMETERS \
    {                                                             \
        REAL(#NAME, RESULT, PARAMETERS);                          \
        count_file(__builtin_return_address(0));                  \
        return real ARGUMENTS;                                    \
    }
OPENING(fopen, FILE *, (const char *path, const char *mode), (path, mode))
OPENING(fopen64, FILE *, (const char *path, const char *mode), (path, mode))
OPENING(opendir, DIR *, (const char *path), (path))

/* The last parameter is passed on whether there is one or not, as in registers it can be. */
#define OPENING_WITH_MODE(NAME, PARAMETERS, ARGUMENTS)               \
    __attribute__((visibility("default"))) int NAME(PARAMETERS, ...) \
    {                                                                \
        REAL(#NAME, int, (PARAMETERS, ...));                         \
        va_list more;                                                \
        va_start(more, flags);                                       \
        int mode = va_arg(more, int);                                \
        va_end(more);                                                \
        count_file(__builtin_return_address(0));                     \
        return real(ARGUMENTS, mode);                                \
    }
#define BY_PATH const char *path, int flags
#define IN_FOLDER int folder, const char *path, int flags
#define PASS_PATH path, flags
#define PASS_FOLDER folder, path, flags
OPENING_WITH_MODE(open, BY_PATH, PASS_PATH)
OPENING_WITH_MODE(open64, BY_PATH, PASS_PATH)
OPENING_WITH_MODE(openat, IN_FOLDER, PASS_FOLDER)

int PMPI_Finalize(void)
{
    REAL("PMPI_Finalize", int, (void));
    const char *folder = getenv("COUNTS"), *rank = getenv("OMPI_COMM_WORLD_RANK");
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder ? folder : ".", rank ? rank : getenv("PMI_RANK"));
    struct counts found[2] = {counts[0], counts[1]};
    FILE *file = fopen(path, "w");
    for (int i = 0; file && i < 2; i++)
        fprintf(file, "%s %ld %ld %ld %ld %ld\n", i ? "MPI_Finalize" : "MPI_Init", found[i].sent,
                found[i].bytes, found[i].received, found[i].collectives, found[i].files);
    if (file)
        fclose(file);
    return real();
}
