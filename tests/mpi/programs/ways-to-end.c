/* SPDX-License-Identifier: BSD-3-Clause */
/* ways-to-end.c - HOW: a message from each rank to the next, then: `finalize`; `abort`: rank 1
 * calls MPI_Abort with 5; `exit`: all exit with 6 without MPI_Finalize; `child`: rank 0 shows
 * what its children see; `reuse FOLDER`: each closes standard error, and a file of its own there gets that descriptor;
 * `jump`: rank 1 leaves a wrong call by longjmp from its error handler, then 20 more messages to the next;
 * `topology`: the same, but then all make a grid, and nothing else has been where the wrong call was;
 * `callback`: a callback that MPI_Comm_dup makes makes a grid;
 * `stack`: each tells if it can have a thread with the smallest stack;
 * `alone`: rank 1 begins a barrier that no other does (erroneous, but both MPIs end);
 * `user', `one', `root' FOLDER: all processes, or rank 1 only, become another user, or all get another root. */
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

static jmp_buf before_error;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    longjmp(before_error, 1);
}

static __attribute__((noinline)) void call_wrongly(void)
{
    int number = 0;
    MPI_Bcast(&number, 1, MPI_INT, 1000, MPI_COMM_WORLD);
}

/* Its calls have frames at lower addresses than that of call_wrongly. */
static __attribute__((noinline)) void send_more(int rank, int size)
{
    volatile int numbers[200];
    for (int i = 0; i < 200; i++)
        numbers[i] = i;
    for (int i = 0; i < 20; i++)
        MPI_Sendrecv((int *)&numbers[0], 1, MPI_INT, (rank + 1) % size, 0, (int *)&numbers[1], 1,
                     MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* The room that it does not write to has the frames that the wrong call had. */
static __attribute__((noinline)) void make_grid(int rank, int size)
{
    volatile char room[16384];
    const int periodic = 1;
    MPI_Comm grid;
    room[0] = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &grid);
    MPI_Sendrecv(MPI_BOTTOM, 0, MPI_INT, (rank + 1) % size, 0, MPI_BOTTOM, 0, MPI_INT,
                 (rank + size - 1) % size, 0, grid, MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
}

static int copy(MPI_Comm comm, int keyval, void *state, void *value, void *copied, int *flag)
{
    const int one = 1, periodic = 1;
    MPI_Comm grid;
    (void)comm, (void)keyval, (void)state, (void)value, (void)copied;
    MPI_Cart_create(MPI_COMM_SELF, 1, &one, &periodic, 0, &grid);
    MPI_Comm_free(&grid);
    *flag = 0;
    return MPI_SUCCESS;
}

static void duplicate(void)
{
    int keyval, value;
    MPI_Comm other;
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    MPI_Comm_free(&other);
    MPI_Comm_free_keyval(&keyval);
}

static void jump(int rank, int size, void (*then)(int rank, int size))
{
    MPI_Errhandler handler;
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    if (rank == 1 && !setjmp(before_error))
        call_wrongly();
    then(rank, size);
    MPI_Errhandler_free(&handler);
}

static void *nothing(void *argument)
{
    return argument;
}

static int start_small_thread(void)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, PTHREAD_STACK_MIN);
    int rc = pthread_create(&thread, &small, nothing, NULL);
    return rc ? rc : pthread_join(thread, NULL);
}

static int reuse(const char *folder, int rank)
{
    char name[4096];
    snprintf(name, sizeof name, "%s/data.%d", folder, rank);
    close(2);
    return open(name, O_WRONLY | O_CREAT | O_TRUNC, 0666) == 2 && write(2, "data\n", 5) == 5 ? 0
                                                                                             : -1;
}

static int change(const char *how, const char *folder, int rank)
{
    if (strcmp(how, "root") == 0)
        return chroot(folder);
    return strcmp(how, "user") == 0 || rank == 1 ? setuid(65534) : 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "finalize";
    int rank, size, got;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT,
                 (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("got %d\n", got);
    fflush(stdout);
    if (strcmp(how, "abort") == 0 && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 5);
    if (strcmp(how, "abort") == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(how, "exit") == 0)
        exit(6);
    if (strcmp(how, "jump") == 0)
        jump(rank, size, send_more);
    if (strcmp(how, "topology") == 0)
        jump(rank, size, make_grid);
    if (strcmp(how, "callback") == 0)
        duplicate();
    if (strcmp(how, "stack") == 0)
        printf("thread: %d\n", start_small_thread());
    if (strcmp(how, "child") == 0 && rank == 0 && system("echo \"preload: ${LD_PRELOAD:-none}\""))
        return 1;
    if (strcmp(how, "reuse") == 0 && argc > 2 && reuse(argv[2], rank))
        return 1;
    if ((strcmp(how, "user") == 0 || strcmp(how, "one") == 0 || strcmp(how, "root") == 0) &&
        argc > 2 && change(how, argv[2], rank))
        return 1;
    if (strcmp(how, "alone") == 0 && rank == 1)
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Finalize();
    return 0;
}
