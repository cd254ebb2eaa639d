/* SPDX-License-Identifier: BSD-3-Clause */
/* many-callbacks.c - a program with many callbacks. Each of its 64 error handlers, and each of its
 * 100,000 keyvals with states of their own, has to get MPI_COMM_WORLD as that handle; the last
 * keyvals must not take longer than the first, and creating the same ones again no more memory.
 * Rank 0 prints sums over all ranks. */
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { HANDLERS = 64, KEYVALS = 100000, TENTH = KEYVALS / 10 };

/* ---- error handlers ---- */

static int called[HANDLERS], strange;

static void count(int number, const MPI_Comm *comm, const int *code)
{
    if (*comm == MPI_COMM_WORLD && *code == MPI_ERR_OTHER)
        called[number]++;
    else
        strange++;
}

/* clang-format off */
#define HANDLER(octal)                                          \
    static void handler_##octal(MPI_Comm *comm, int *code, ...) \
    {                                                           \
        count(0##octal, comm, code);                            \
    }
#define NAME(octal) handler_##octal,
#define EIGHT(what, n)                                          \
    what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) what(n##5) what(n##6) what(n##7)
#define ALL(what)                                               \
    EIGHT(what, 0) EIGHT(what, 1) EIGHT(what, 2) EIGHT(what, 3) \
    EIGHT(what, 4) EIGHT(what, 5) EIGHT(what, 6) EIGHT(what, 7)
ALL(HANDLER)
static MPI_Comm_errhandler_function *const handlers[HANDLERS] = {ALL(NAME)};
/* clang-format on */

/* One after the other: MPI uses their handles again. */
static void use_handlers(void)
{
    MPI_Errhandler handler;
    for (int i = 0; i < HANDLERS; i++) {
        MPI_Comm_create_errhandler(handlers[i], &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Errhandler_free(&handler);
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

/* All at the same time. */
static void keep_handlers(void)
{
    MPI_Errhandler handler[HANDLERS];
    for (int i = 0; i < HANDLERS; i++)
        MPI_Comm_create_errhandler(handlers[i], &handler[i]);
    for (int i = HANDLERS; i-- > 0;) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler[i]);
        MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    for (int i = 0; i < HANDLERS; i++)
        MPI_Errhandler_free(&handler[i]);
}

/* ---- attributes ---- */

static char states[KEYVALS];
static int deleted;

static int forget(MPI_Comm comm, int keyval, void *value, void *state)
{
    (void)keyval;
    if (comm == MPI_COMM_WORLD && value == state)
        deleted++;
    else
        strange++;
    return MPI_SUCCESS;
}

/* Processor time of this thread, in seconds. */
static double spent(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The time for a tenth of the keyvals. */
static double use_keyvals(int tenth)
{
    char *first = &states[(size_t)tenth * TENTH];
    double start = spent();
    for (int i = 0; i < TENTH; i++) {
        int keyval;
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, first + i);
        MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, first + i);
        MPI_Comm_delete_attr(MPI_COMM_WORLD, keyval);
        MPI_Comm_free_keyval(&keyval);
    }
    return spent() - start;
}

int main(int argc, char **argv)
{
    enum { WELL, DELETED, STRANGE, SLOWER, GROWN, SUMS };
    int mine[SUMS] = {0}, all[SUMS], rank;
    double first, last = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    use_handlers();
    keep_handlers();
    for (int i = 0; i < HANDLERS; i++)
        mine[WELL] += called[i] == 2;
    first = use_keyvals(0);
    for (int tenth = 1; tenth < 10; tenth++)
        last = use_keyvals(tenth);
    size_t before = mallinfo2().uordblks;
    use_keyvals(0);
    mine[GROWN] = mallinfo2().uordblks > before + 65536;
    mine[SLOWER] = last > 5 * first + 0.05;
    mine[DELETED] = deleted;
    mine[STRANGE] = strange;
    MPI_Reduce(mine, all, SUMS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("handlers: %d\nattributes: %d\nwrong: %d\nslower: %d\ngrown: %d\n", all[WELL],
               all[DELETED], all[STRANGE], all[SLOWER], all[GROWN]);
        fprintf(stderr, "a tenth of the keyvals: first %.3f s, last %.3f s\n", first, last);
    }
    MPI_Finalize();
    return 0;
}
