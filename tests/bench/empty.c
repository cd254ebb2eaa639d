/* SPDX-License-Identifier: BSD-3-Clause */
/* empty.c - the baseline of overhead.sh: a preloaded library that only forwards, as any tool has
 * to. */
#include <dlfcn.h>
#include <mpi.h>

#define FORWARD(name, parameters, arguments)                       \
    int name parameters                                            \
    {                                                              \
        static int(*real) parameters;                              \
        if (!real)                                                 \
            real = (int(*) parameters)dlsym(RTLD_NEXT, "P" #name); \
        return real arguments;                                     \
    }

FORWARD(MPI_Send, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c),
        (b, n, t, d, g, c))
FORWARD(MPI_Recv, (void *b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status *u),
        (b, n, t, s, g, c, u))
FORWARD(MPI_Isend, (const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, d, g, c, r))
FORWARD(MPI_Irecv, (void *b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Request *r),
        (b, n, t, s, g, c, r))
FORWARD(MPI_Wait, (MPI_Request * r, MPI_Status *u), (r, u))
FORWARD(MPI_Waitall, (int n, MPI_Request r[], MPI_Status *u), (n, r, u))
FORWARD(MPI_Allreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c),
        (s, r, n, t, o, c))
