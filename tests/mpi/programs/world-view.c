/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * world-view.c - what a program can see of MPI_COMM_WORLD, as lines that do not depend on which
 * process plays which rank: they have to be the same whether it is reordered or not. On standard
 * error rank 0 prints how many processes have another rank than at launch.
 */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "declared.h"

enum { LINE = 200, MOST = 64 };
static int rank, size;

/* One line of every rank, in order of rank. */
static void tell(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void tell(const char *format, ...)
{
    static char all[MOST * LINE];
    char line[LINE] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    MPI_Gather(line, LINE, MPI_CHAR, all, LINE, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int r = 0; rank == 0 && r < size; r++)
        printf("%d: %s\n", r, all + r * LINE);
}

static void predefined_on(MPI_Comm comm, const char *what)
{
    const int keys[] = {
        MPI_TAG_UB,
        MPI_HOST,
        MPI_IO,
        MPI_WTIME_IS_GLOBAL,
        MPI_UNIVERSE_SIZE,
        MPI_APPNUM,
        MPI_LASTUSEDCODE,
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 5
        MPI_FT,
#endif
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int flag = 0, *value = NULL;
        MPI_Comm_get_attr(comm, keys[i], &value, &flag);
        tell("attribute %zu of %s: %d %d", i, what, flag, flag ? *value : 0);
    }
}

/* Under Open MPI most of them are copied with MPI_COMM_WORLD, under MPICH all communicators have
 * all. */
static void predefined(void)
{
    MPI_Comm twin, again, part;
    MPI_Request request;
    predefined_on(MPI_COMM_WORLD, "the world");
    predefined_on(MPI_COMM_SELF, "self");
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_idup(twin, &again, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(again, 0, rank, &part);
    predefined_on(twin, "its duplicate");
    predefined_on(again, "a duplicate of that");
    predefined_on(part, "what was split off");
    MPI_Comm_free(&part);
    MPI_Comm_free(&again);
    MPI_Comm_free(&twin);
}

static int copies, deletes, in_finalize;

/* Whether a callback is given the handle that the application knows, and its own state. */
struct state {
    MPI_Comm expected;
    int right, wrong;
};

static void check(struct state *state, MPI_Comm comm)
{
    if (comm == state->expected)
        state->right++;
    else
        state->wrong++;
}

static int copy(MPI_Comm comm, int key, void *state, void *value, void *result, int *flag)
{
    (void)key;
    check(state, comm);
    copies++;
    *(void **)result = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int delete (MPI_Comm comm, int key, void *value, void *state)
{
    (void)key, (void)value;
    check(state, comm);
    deletes++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    static int value = 17;
    static struct state state = {MPI_COMM_NULL, 0, 0}; /* of an attribute that stays to the end */
    int key, flag, *found = NULL;
    MPI_Comm twin;
    state.expected = MPI_COMM_WORLD;
    MPI_Comm_create_keyval(copy, delete, &key, &state);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    tell("copied attribute: %d %d, %d copies", flag, flag ? *found : 0, copies);
    state.expected = twin;
    MPI_Comm_free(&twin);
    state.expected = MPI_COMM_WORLD;
    MPI_Comm_free_keyval(&key); /* the attribute stays */
    tell("callbacks: %d right, %d wrong", state.right, state.wrong);
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, delete, &key, &state);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_get_attr(twin, key, &found, &flag);
    tell("copied by MPI: %d %d", flag, flag ? *found : 0);
    state.expected = twin;
    MPI_Comm_free(&twin);
    state.expected = MPI_COMM_WORLD;
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    MPI_Comm_get_attr(MPI_COMM_WORLD, key, &found, &flag);
    tell("deleted attribute: %d, %d deletes", flag, deletes);
    MPI_Comm_free_keyval(&key);
    tell("callbacks: %d right, %d wrong", state.right, state.wrong);
}

/* By their old names; each keyval has its state. */
static void old_attributes(void)
{
    enum { KEYS = 40 };
    static struct state states[KEYS];
    int keys[KEYS], right = 0, wrong = 0;
    for (int i = 0; i < KEYS; i++) {
        states[i].expected = MPI_COMM_WORLD;
        MPI_Keyval_create(MPI_COMM_NULL_COPY_FN, delete, &keys[i], &states[i]);
        MPI_Comm_set_attr(MPI_COMM_WORLD, keys[i], NULL);
    }
    for (int i = 0; i < KEYS; i++) {
        MPI_Comm_delete_attr(MPI_COMM_WORLD, keys[i]);
        right += states[i].right == 1;
        wrong += states[i].wrong;
        MPI_Comm_free_keyval(&keys[i]);
    }
    tell("old keyvals: %d right, %d wrong", right, wrong);
}

/* Open MPI refuses them, for MPICH they are MPI_COMM_NULL_COPY_FN. */
static void attributes_without_functions(void)
{
    int key, gone = 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int made = MPI_Comm_create_keyval(NULL, NULL, &key, NULL) == MPI_SUCCESS;
    if (made)
        MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    if (made)
        gone = MPI_Comm_delete_attr(MPI_COMM_WORLD, key) == MPI_SUCCESS;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    tell("keyval without functions: %d made, %d gone", made, gone);
}

static int errors, other_errors;

static void on_error(MPI_Comm *comm, int *code, ...)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    (void)code;
    MPI_Comm_get_name(*comm, name, &length);
    errors += *comm == MPI_COMM_WORLD && strcmp(name, "MPI_COMM_WORLD") == 0;
}

static void on_other_error(MPI_Comm *comm, int *code, ...)
{
    other_errors += *comm == MPI_COMM_WORLD && *code != MPI_SUCCESS;
}

static void old_error_handler(void)
{
    MPI_Errhandler handler;
    for (int i = 0; i < 100; i++) { /* one function, however often */
        MPI_Comm_create_errhandler(on_other_error, &handler);
        MPI_Errhandler_free(&handler);
    }
#if DECLARES_MPI_Errhandler_create && !defined OPEN_MPI
    MPI_Errhandler_create(on_other_error, &handler);
#else
    MPI_Comm_create_errhandler(on_other_error, &handler);
#endif
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    MPI_Send(NULL, 0, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
    tell("another handler: %d errors, %d others", errors, other_errors);
}

#if DECLARES_MPIX_Comm_create_errhandler_x && !defined MPI_ABI_VERSION /* declared, not there */
#define HAS_STATEFUL_HANDLERS 1
struct stateful {
    int errors, freed;
};

static void on_stateful_error(MPI_Comm comm, int code, void *state)
{
    (void)code;
    ((struct stateful *)state)->errors += comm == MPI_COMM_WORLD;
}

static void free_stateful(void *state)
{
    ((struct stateful *)state)->freed++;
}
#endif

/* MPICH 4.3 and later. */
static void stateful_error_handler(void)
{
#if HAS_STATEFUL_HANDLERS
    struct stateful state = {0};
    MPI_Errhandler handler;
    MPIX_Comm_create_errhandler_x(on_stateful_error, free_stateful, &state, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Errhandler_free(&handler);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    tell("a handler with a state: %d errors, freed %d times", state.errors, state.freed);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    tell("replaced: freed %d times", state.freed);
#endif
}

static void error_handlers(void)
{
    MPI_Errhandler handler, before, found;
    int code;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    tell("fatal at first: %d", before == MPI_ERRORS_ARE_FATAL);
    MPI_Comm_create_errhandler(on_error, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &found);
    tell("handler is ours: %d", found == handler);
    MPI_Send(NULL, 0, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
    tell("bad rank: %d errors", errors);
    MPI_Comm_call_errhandler(MPI_COMM_WORLD, MPI_ERR_OTHER);
    tell("called: %d errors", errors);
    MPI_Type_size(MPI_DATATYPE_NULL, &code); /* without a communicator */
    tell("bad type: %d errors", errors);
    old_error_handler();
    stateful_error_handler();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Type_size(MPI_DATATYPE_NULL, &code);
    tell("returned: %d", code != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&handler);
    MPI_Errhandler_free(&before);
    MPI_Errhandler_free(&found);
}

static void identity(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length, same, ranks[MOST], theirs[MOST];
    MPI_Comm twin;
    MPI_Group all, odd;
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    tell("name %s", name);
    MPI_Comm_set_name(MPI_COMM_WORLD, "mine");
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    tell("name %s", name);
    MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD");
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, &same);
    tell("with itself %d", same == MPI_IDENT);
    MPI_Comm_dup(MPI_COMM_WORLD, &twin);
    MPI_Comm_compare(MPI_COMM_WORLD, twin, &same);
    tell("with its copy %d", same == MPI_CONGRUENT);
    MPI_Comm_compare(MPI_COMM_WORLD, MPI_COMM_SELF, &same);
    tell("with self %d", same == MPI_UNEQUAL || size == 1);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    for (int i = 0; i < size; i++)
        ranks[i] = size - 1 - i;
    MPI_Group_incl(all, size, ranks, &odd);
    MPI_Group_translate_ranks(odd, size, ranks, all, theirs);
    tell("reversed: rank 1 is %d", size > 1 ? theirs[size - 2] : 0);
    int me;
    MPI_Group_rank(all, &me);
    tell("in its group %d of %d", me, size);
    MPI_Comm back = MPI_COMM_WORLD;
#if !defined MPI_ABI_VERSION || DECLARES_MPI_Comm_c2f /* a macro of MPICH, not in the ABI's mpi.h */
    back = MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_WORLD));
#endif
    MPI_Comm_rank(back, &me);
    tell("through Fortran %d, %d", me, back == MPI_COMM_WORLD);
#if DECLARES_MPI_Comm_toint
    back = MPI_Comm_fromint(MPI_Comm_toint(MPI_COMM_WORLD));
    MPI_Comm_rank(back, &me);
    tell("through a number %d, %d", me, back == MPI_COMM_WORLD);
#endif
    MPI_Group_free(&all);
    MPI_Group_free(&odd);
    MPI_Comm_free(&twin);
}

static void traffic(void)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, in = -1, sum;
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, next, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, &status);
    tell("got %d from %d", in, status.MPI_SOURCE);
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    tell("scan %d", sum);
    MPI_Bcast(&in, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    tell("broadcast %d (previous is %d)", in, previous);
}

static void children(void)
{
    int me, n, dims[2] = {0, 0}, periodic[2] = {1, 0}, at[2], minus, plus;
    MPI_Comm part, other, bridge;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
    MPI_Comm_rank(part, &me);
    tell("split %d", me);
    MPI_Intercomm_create(part, 0, MPI_COMM_WORLD,
                         rank % 2 ? (size - 1) / 2 * 2 : (size - 2) / 2 * 2 + 1, 4, &bridge);
    MPI_Comm_remote_size(bridge, &n);
    MPI_Intercomm_merge(bridge, rank % 2, &other);
    MPI_Comm_rank(other, &me);
    tell("remote %d, merged %d", n, me);
    MPI_Comm_free(&other);
    MPI_Comm_free(&bridge);
    MPI_Comm_free(&part);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &part);
    MPI_Comm_rank(part, &me);
    MPI_Comm_size(part, &n);
    tell("on the node %d of %d", me, n);
    MPI_Comm_free(&part);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periodic, 0, &part);
    MPI_Comm_rank(part, &me);
    MPI_Cart_coords(part, me, 2, at);
    MPI_Cart_shift(part, 0, 1, &minus, &plus);
    tell("grid %d: %d %d, %d %d", me, at[0], at[1], minus, plus);
    MPI_Comm_free(&part);
}

static void windows_and_files(void)
{
    int value = -1, in = -1;
    char name[] = "/tmp/reseat-world-XXXXXX";
    MPI_Win win;
    MPI_File file;
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    tell("put %d", value);
    MPI_Win_free(&win);
    if (rank == 0)
        close(mkstemp(name));
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_write_ordered(file, &rank, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, (MPI_Offset)sizeof in * ((rank + 1) % size), &in, 1, MPI_INT,
                         MPI_STATUS_IGNORE);
    tell("file %d", in);
    MPI_File_close(&file);
}

static void sessions(void)
{
#if DECLARES_MPI_Session_init
    MPI_Session session;
    MPI_Group group;
    int me, n;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS)
        return;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Group_rank(group, &me);
    MPI_Group_size(group, &n);
    tell("session %d of %d", me, n);
    MPI_Comm comm;
    MPI_Comm_create_from_group(group, "world-view.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_rank(comm, &me);
    MPI_Comm_size(comm, &n);
    int sum;
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    tell("its communicator %d of %d, scan %d", me, n, sum);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Group self;
    int same;
    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    MPI_Comm_group(MPI_COMM_SELF, &self);
    MPI_Group_compare(group, self, &same);
    MPI_Comm_create_from_group(group, "world-view.c", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_size(comm, &n);
    tell("session of its own %d, %d", same == MPI_IDENT, n);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Group_free(&self);
    MPI_Group_from_session_pset(session, "mpi://world", &group); /* no MPI minds */
    MPI_Group_rank(group, &me);
    tell("session, by a name in small letters %d", me);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
#endif
}

/* Volatile, so that the calls behind it stay: every-function.tap looks for them. */
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION >= 6
static const volatile int waiting_is_a_matter_of_luck = 1;
#else
static const volatile int waiting_is_a_matter_of_luck = 0;
#endif

/* What the tool interface says about MPI_COMM_WORLD: under Open MPI how many messages of each rank
 * wait. */
static void tools(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_T_pvar_session session;
    MPI_T_pvar_handle queue;
    MPI_T_cvar_handle first;
    int provided, index, count = 0, from;
    unsigned waiting[MOST] = {0};
    MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
    MPI_T_cvar_handle_alloc(0, NULL, &first, &count);
    MPI_T_cvar_handle_free(&first);
    MPI_T_pvar_session_create(&session);
    /* Open MPI 6.0.0rc2 looks for flags of the communicator 0xe0 bytes behind the handle, and
     * refuses it by what is there. */
    if (waiting_is_a_matter_of_luck ||
        MPI_T_pvar_get_index("pml_ob1_unexpected_msgq_length", MPI_T_PVAR_CLASS_SIZE, &index) ||
        MPI_T_pvar_handle_alloc(session, index, &world, &queue, &count)) {
        tell("no variable of a communicator");
    } else {
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 5, world);
        MPI_Probe(MPI_ANY_SOURCE, 5, world, MPI_STATUS_IGNORE);
        MPI_T_pvar_read(session, queue, waiting);
        tell("variable of %d ranks: waits %d", count, waiting[(rank + size - 1) % size] > 0);
        MPI_Recv(&from, 1, MPI_INT, MPI_ANY_SOURCE, 5, world, MPI_STATUS_IGNORE);
        MPI_T_pvar_handle_free(session, &queue);
    }
    MPI_T_pvar_session_free(&session);
    MPI_T_finalize();
}

/* Called in MPI_Finalize: the world has to be what it was. */
static int at_end(MPI_Comm comm, int key, void *value, void *state)
{
    int me, n, sum = 0;
    (void)comm, (void)key, (void)value, (void)state;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Reduce(&me, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    in_finalize = me == rank;
    if (me == 0)
        printf("in MPI_Finalize: rank %d of %d, sum %d\n", me, n, sum);
    return in_finalize ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/* Called in MPI_Finalize for what was left at MPI_COMM_WORLD. */
static int left_over(MPI_Comm comm, int key, void *value, void *state)
{
    (void)key, (void)value;
    if (rank == 0)
        printf("left over: %d\n", comm == MPI_COMM_WORLD && state == &rank);
    return MPI_SUCCESS;
}

static void report_moves(void)
{
    const char *launched = getenv("OMPI_COMM_WORLD_RANK");
    if (!launched)
        launched = getenv("PMI_RANK");
    int moved = launched && atoi(launched) != rank, all = 0;
    MPI_Reduce(&moved, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        fprintf(stderr, "%d moved\n", all);
}

int main(int argc, char **argv)
{
    int key;
    char line[100] = "";
    MPI_Init(&argc, &argv);
    /* A launcher that is told to end drops what it has not read yet, so what is compared goes to a file, a line a write. */
    if (argc > 2 && (!freopen(argv[2], "a", stdout) || setvbuf(stdout, NULL, _IOLBF, BUFSIZ)))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, left_over, &key, &rank);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, NULL);
    if (rank == 0 && fgets(line, sizeof line, stdin))
        line[strcspn(line, "\n")] = '\0';
    tell("input '%s'", line);
    predefined();
    attributes();
    old_attributes();
    attributes_without_functions();
    error_handlers();
    identity();
    traffic();
    children();
    windows_and_files();
    sessions();
    tools();
    report_moves();
    if (argc > 2 && strcmp(argv[1], "abort") == 0) {
        fflush(stdout);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Abort(MPI_COMM_WORLD, 42);
        /* MPICH's returns from 4.2 on. Its launcher ends who waits; who goes on may get into
         * MPI_Finalize before that, or not. */
        sleep(30);
        _exit(43);
    }
    MPI_Finalize();
    return 0;
}
