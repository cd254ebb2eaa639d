/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * error-handlers.c - HOW...: for each of them rank 0 does something wrong on a communicator that has no error
 * handler of its own, and prints the outcome, if the program survives. MPI_ERRORS_RETURN is set on
 * MPI_COMM_WORLD after the communicator has been made by HOW, before it where HOW ends in
 * `-after'. `none-HOW': it is set nowhere. `nowhere-comm' and so on: a function that frees gets no
 * address of a handle.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank, size, heard;

static void handler(MPI_Comm *comm, int *code, ...)
{
    int class;
    MPI_Error_class(*code, &class);
    heard = *comm == MPI_COMM_WORLD ? 1 : 2;
}

static MPI_Comm make(const char *how)
{
    const int dims[1] = {size}, periods[1] = {1};
    int partner = (rank + size / 2) % size, one = 1;
    MPI_Comm comm = MPI_COMM_WORLD, other;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    if (strcmp(how, "dup") == 0 || strcmp(how, "handler") == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else if (strcmp(how, "dup-of-dup") == 0) {
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
        MPI_Comm_dup(other, &comm);
        MPI_Comm_free(&other);
    } else if (strcmp(how, "split") == 0)
        MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    else if (strcmp(how, "create") == 0)
        MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    else if (strcmp(how, "cart") == 0)
        MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &comm);
    else if (strcmp(how, "graph") == 0)
        MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &one, &partner, &one, MPI_INFO_NULL, 1,
                              &comm);
    else if (strcmp(how, "null") == 0)
        comm = MPI_COMM_NULL;
    MPI_Group_free(&group);
    return comm;
}

static void let_return(const char *how)
{
    MPI_Errhandler own;
    if (strncmp(how, "handler", 7) == 0) {
        MPI_Comm_create_errhandler(handler, &own);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, own);
        MPI_Errhandler_free(&own);
    } else {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
}

static int free_nowhere(const char *what)
{
    return strcmp(what, "comm") == 0         ? MPI_Comm_free(NULL)
           : strcmp(what, "disconnect") == 0 ? MPI_Comm_disconnect(NULL)
           : strcmp(what, "group") == 0      ? MPI_Group_free(NULL)
           : strcmp(what, "request") == 0    ? MPI_Request_free(NULL)
                                             : MPI_Win_free(NULL);
}

/* What rank 0 gets for a message to a rank that there is not. */
static void do_wrong(const char *how, MPI_Comm comm)
{
    int value = 0, class = 0;
    MPI_Error_class(MPI_Send(&value, 1, MPI_INT, size + 5, 1, comm), &class);
    printf("%s: %s, the handler %s\n", how,
           class == MPI_ERR_RANK   ? "a wrong rank"
           : class == MPI_ERR_COMM ? "a wrong communicator"
                                   : "something else",
           heard == 1   ? "got MPI_COMM_WORLD"
           : heard == 2 ? "got another"
                        : "was not called");
    fflush(stdout);
}

static void try_communicator(const char *name)
{
    char how[32];
    int none = strncmp(name, "none-", 5) == 0;
    snprintf(how, sizeof how, "%s", name + (none ? 5 : 0));
    char *after = strstr(how, "-after");
    if (after) {
        *after = '\0';
        let_return(how);
    }
    MPI_Comm comm = make(how);
    if (!after && !none)
        let_return(how);
    if (rank == 0)
        do_wrong(name, comm);
    MPI_Barrier(MPI_COMM_WORLD); /* the next one only if this was survived */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    heard = 0;
}

static void try_nowhere(const char *name)
{
    int class;
    let_return("");
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Error_class(free_nowhere(name + strlen("nowhere-")), &class);
    if (rank == 0)
        printf("%s: class %d\n", name, class);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++)
        if (strncmp(argv[i], "nowhere-", 8) == 0)
            try_nowhere(argv[i]);
        else
            try_communicator(argv[i]);
    MPI_Finalize();
    return 0;
}
