/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counting-tool.c - a tool like those of others: it wraps some functions by MPI_X and PMPI_X and
 * counts calls and bytes; it takes rank and size in MPI_Init, sends messages of its own in some
 * wrappers, and at MPI_Finalize it gathers on MPI_COMM_WORLD and rank 0 writes TOOL_REPORT: lines
 * `rank function calls bytes`. On standard error it prints how often something was wrong: a rank, a
 * sender, a communicator. With TOOL_REDUCES in the environment its MPI_Allreduce makes a reduction
 * of its own, too. Compiled with TOOL_FORTRAN it has wrappers for Fortran as well; with TOOL_DIRECT
 * it asks for the addresses of the functions that it wraps instead of calling them by name.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef TOOL_DIRECT
#include <dlfcn.h>
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#else
#define REAL(name) name
#endif

enum { SEND, ISEND, SENDRECV, BCAST, ALLREDUCE, DUP, CART, PCONTROL, WAIT, FORTRAN, FUNCTIONS };
static const char *const names[] = {
    "MPI_Send",     "MPI_Isend",       "MPI_Sendrecv", "MPI_Bcast", "MPI_Allreduce",
    "MPI_Comm_dup", "MPI_Cart_create", "MPI_Pcontrol", "MPI_Wait",  "mpi_comm_set_attr"};
static struct counts {
    long long calls, bytes;
} counts[FUNCTIONS];
static int rank = -1, size = -1;
static long long wrong; /* what a tool may take for granted and was not so */

static void count(int function, int number, MPI_Datatype type)
{
    int bytes = 0;
    PMPI_Type_size(type, &bytes);
    counts[function].calls++;
    counts[function].bytes += (long long)number * bytes;
}

/* The tool's own messages: around the ring, and a reduction. */
static __attribute__((noinline)) void talk(MPI_Comm comm)
{
    char mine[1000] = "", theirs[1000];
    int here, there, one = 1, all = 0;
    PMPI_Comm_rank(comm, &here);
    PMPI_Comm_size(comm, &there);
    PMPI_Sendrecv(mine, sizeof mine, MPI_CHAR, (here + 1) % there, 77, theirs, sizeof theirs,
                  MPI_CHAR, (here + there - 1) % there, 77, comm, MPI_STATUS_IGNORE);
    PMPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    wrong += all != there;
}

static void started(void)
{
    int now;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    talk(MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &now);
    wrong += now != rank;
}

static void write_report(const struct counts *all)
{
    const char *path = getenv("TOOL_REPORT");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int r = 0; file && r < size; r++)
        for (int f = 0; f < FUNCTIONS; f++)
            if (all[r * FUNCTIONS + f].calls)
                fprintf(file, "%d %s %lld %lld\n", r, names[f], all[r * FUNCTIONS + f].calls,
                        all[r * FUNCTIONS + f].bytes);
    if (file)
        fclose(file);
}

/* Who sends what is looked up by the rank that was taken in MPI_Init. */
static __attribute__((noinline)) void report(void)
{
    long long found[2] = {rank, wrong}, *who = calloc((size_t)size * 2, sizeof *who);
    struct counts *all = calloc((size_t)size * FUNCTIONS, sizeof *all);
    PMPI_Gather(found, 2, MPI_LONG_LONG, who, 2, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
    PMPI_Gather(counts, 2 * FUNCTIONS, MPI_LONG_LONG, all, 2 * FUNCTIONS, MPI_LONG_LONG, 0,
                MPI_COMM_WORLD);
    long long token = rank;
    if (rank > 0)
        PMPI_Send(&token, 1, MPI_LONG_LONG, 0, 78, MPI_COMM_WORLD);
    for (int r = 1; rank == 0 && r < size; r++) {
        PMPI_Recv(&token, 1, MPI_LONG_LONG, r, 78, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        wrong += token != r;
    }
    for (int r = 0; rank == 0 && r < size; r++) {
        wrong += who[2 * r] != r;
        wrong += who[2 * r + 1];
    }
    if (rank == 0)
        write_report(all);
    if (rank == 0 && wrong)
        fprintf(stderr, "tool: wrong %lld\n", wrong);
    free(who);
    free(all);
}

int MPI_Init(int *argc, char ***argv)
{
    int rc = REAL(PMPI_Init)(argc, argv);
    started();
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int rc = REAL(PMPI_Init_thread)(argc, argv, required, provided);
    started();
    return rc;
}

int MPI_Finalize(void)
{
    talk(MPI_COMM_WORLD);
    report();
    return REAL(PMPI_Finalize)();
}

/* In a function of its own, as tools have it that serve C and Fortran. */
static __attribute__((noinline)) int do_send(const void *buf, int n, MPI_Datatype type, int dest,
                                             int tag, MPI_Comm comm)
{
    int rc = REAL(PMPI_Send)(buf, n, type, dest, tag, comm);
    count(SEND, n, type);
    return rc;
}

int MPI_Send(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm)
{
    return do_send(buf, n, type, dest, tag, comm);
}

int MPI_Isend(const void *buf, int n, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
              MPI_Request *request)
{
    count(ISEND, n, type);
    return REAL(PMPI_Isend)(buf, n, type, dest, tag, comm, request);
}

int MPI_Sendrecv(const void *sendbuf, int n, MPI_Datatype sendtype, int dest, int sendtag,
                 void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                 MPI_Comm comm, MPI_Status *status)
{
    count(SENDRECV, n, sendtype);
    return REAL(PMPI_Sendrecv)(sendbuf, n, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
                               source, recvtag, comm, status);
}

int MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    counts[WAIT].calls++;
    return REAL(PMPI_Wait)(request, status);
}

int MPI_Bcast(void *buf, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    talk(comm);
    int rc = REAL(PMPI_Bcast)(buf, n, type, root, comm);
    count(BCAST, n, type);
    return rc;
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int n, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm)
{
    if (getenv("TOOL_REDUCES"))
        talk(comm); /* which has a reduction, too */
    int rc = REAL(PMPI_Allreduce)(sendbuf, recvbuf, n, type, op, comm);
    count(ALLREDUCE, n, type);
    return rc;
}

int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    counts[DUP].calls++;
    return REAL(PMPI_Comm_dup)(comm, newcomm);
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                    MPI_Comm *newcomm)
{
    int result = MPI_IDENT,
        rc = REAL(PMPI_Cart_create)(comm, ndims, dims, periods, reorder, newcomm);
    counts[CART].calls++;
    if (*newcomm != MPI_COMM_NULL) { /* a tool looks at what has been made */
        wrong += PMPI_Comm_compare(MPI_COMM_WORLD, *newcomm, &result) != MPI_SUCCESS;
        talk(*newcomm);
    }
    return rc;
}

/* A tool may take what stands for the dots: here a name. */
int MPI_Pcontrol(const int level, ...)
{
    va_list more;
    va_start(more, level);
    const char *name = level > 0 ? va_arg(more, const char *) : NULL;
    va_end(more);
    counts[PCONTROL].calls++;
    counts[PCONTROL].bytes += name ? (long long)strlen(name) : 0;
    return REAL(PMPI_Pcontrol)(level);
}

#ifdef TOOL_FORTRAN
void mpi_init_(MPI_Fint *ierror);
void mpi_init_(MPI_Fint *ierror)
{
    *ierror = REAL(PMPI_Init)(NULL, NULL);
    started();
}

void mpi_finalize_(MPI_Fint *ierror);
void mpi_finalize_(MPI_Fint *ierror)
{
    talk(MPI_COMM_WORLD);
    report();
    *ierror = REAL(PMPI_Finalize)();
}

void mpi_send_(void *buf, MPI_Fint *n, MPI_Fint *type, MPI_Fint *dest, MPI_Fint *tag,
               MPI_Fint *comm, MPI_Fint *ierror);
void mpi_send_(void *buf, MPI_Fint *n, MPI_Fint *type, MPI_Fint *dest, MPI_Fint *tag,
               MPI_Fint *comm, MPI_Fint *ierror)
{
    *ierror = do_send(buf, *n, PMPI_Type_f2c(*type), *dest, *tag, PMPI_Comm_f2c(*comm));
}

typedef void fortran_attribute(MPI_Fint *comm, MPI_Fint *keyval, void *value, MPI_Fint *ierror);
fortran_attribute mpi_comm_set_attr_, pmpi_comm_set_attr_;
void mpi_comm_set_attr_(MPI_Fint *comm, MPI_Fint *keyval, void *value, MPI_Fint *ierror)
{
    counts[FORTRAN].calls++;
    wrong += PMPI_Comm_f2c(*comm) != MPI_COMM_WORLD;
    pmpi_comm_set_attr_(comm, keyval, value, ierror);
}
#endif
