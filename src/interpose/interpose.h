/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interpose.h - what a generated wrapper needs: the guard, the way to the real function, and the
 * way through other tools.
 *
 * A wrapper has two entries. PMPI_X forwards to the next PMPI_X, which is the MPI's. MPI_X does the
 * same, unless another tool behind this library wraps it (tools.h): then it calls the tool's MPI_X,
 * whose PMPI_ calls come back to our PMPI_ entries (doc/design/0007-other-tools.md). Open MPI's
 * Fortran library calls PMPI_X, MPICH's calls either. MPI calls itself through these names, so a
 * thread-local depth, the guard, tells the application's own call (depth 0) from what happens
 * inside it. What is on the way of every message leaves the guard down (calls.tbl: direct).
 */
#ifndef RESEAT_INTERPOSE_H
#define RESEAT_INTERPOSE_H

#include <stdarg.h>
#include <stdint.h>

#define INTERPOSE_EXPORT __attribute__((visibility("default")))
#define INTERPOSE_HIDDEN __attribute__((visibility("hidden")))
#define INTERPOSE_TLS __thread __attribute__((tls_model("initial-exec")))

/* Set between the end of MPI_Init and the start of MPI_Finalize, when there is something to record
 * or to reorder and the MPI is the one that this library was built for. */
extern int interpose_active INTERPOSE_HIDDEN;

/* The same, when there is something to record. */
extern int interpose_recording INTERPOSE_HIDDEN;

extern INTERPOSE_TLS int interpose_depth INTERPOSE_HIDDEN;

/* Raise the guard; 1 when the application itself made this call. */
static inline int interpose_enter(void)
{
    return interpose_depth++ == 0;
}

/* The same without raising the guard. */
static inline int interpose_is_outer(void)
{
    return interpose_depth == 0;
}

static inline void interpose_leave(void)
{
    interpose_depth--;
}

/* ---- other tools ---- */

/* A function that a tool may wrap. */
struct interpose_call {
    const char *name;   /* MPI_X */
    void (*tool)(void); /* the tool's; NULL: none is behind this library */
    int comes_back;     /* it surely calls PMPI_X by that name, which is ours */
};

/* A tool is at work, before this library or behind it: then nothing takes the fast ways. */
extern int interpose_tools INTERPOSE_HIDDEN;

/* What the calling thread has handed to a tool. */
struct interpose_errand {
    const struct interpose_call *call; /* the application's, until it comes back; or NULL */
    uintptr_t first; /* its first argument: the tool may make such calls as well */
    int depth;       /* of what the tool itself calls; 0: no tool is at work */
};
extern INTERPOSE_TLS struct interpose_errand interpose_errand INTERPOSE_HIDDEN;

/* Before and after calling the tool's function. `call` NULL: whoever calls has recorded it or will.
 * interpose_hand_over() returns what interpose_take_back() needs; that returns 1 when the call was
 * the application's and no PMPI_ entry has seen it. */
struct interpose_errand interpose_hand_over(const struct interpose_call *call, uintptr_t first);
int interpose_take_back(struct interpose_errand before);

/* Who has called a PMPI_ entry. */
enum interpose_caller {
    INTERPOSE_MPI,         /* or we: inside of another call */
    INTERPOSE_APPLICATION, /* also through a tool */
    INTERPOSE_TOOL         /* on its own account */
};

/* The same where tools are, for a call that returns to `address`, at this depth. */
enum interpose_caller interpose_find_caller(const struct interpose_call *call, uintptr_t first,
                                            const void *address, int depth);

/* Raise the guard. `first` is the first argument of the call. */
static inline __attribute__((always_inline)) enum interpose_caller
interpose_enter_from(const struct interpose_call *call, uintptr_t first)
{
    int depth = interpose_depth++;
    if (interpose_tools)
        return interpose_find_caller(call, first, __builtin_return_address(0), depth);
    return depth == 0 ? INTERPOSE_APPLICATION : INTERPOSE_MPI;
}

/* Without raising the guard, of a call that only the application and tools in front of this library
 * make by the PMPI_ entry: 1 when the application made it. */
static inline __attribute__((always_inline)) int
interpose_is_application(const struct interpose_call *call)
{
    return interpose_is_outer() &&
           (!interpose_tools || interpose_find_caller(call, 0, __builtin_return_address(0), 0) ==
                                    INTERPOSE_APPLICATION);
}

/* Raise the guard; 1 when the application or a tool made this call, 0 inside of another one. */
static inline int interpose_enter_outermost(void)
{
    int depth = interpose_depth++;
    return depth == 0 || depth == interpose_errand.depth;
}

/* With the guard raised once: the same. */
static inline int interpose_is_outermost(void)
{
    return interpose_depth == 1 ||
           (interpose_errand.depth > 0 && interpose_depth == interpose_errand.depth + 1);
}

/* The most that a tool can be given in the place of the dots of MPI_Pcontrol: nobody knows how many
 * words there are, so there are always as many. No floating-point numbers. */
enum { INTERPOSE_MORE = 6 };
void interpose_more(void *words[INTERPOSE_MORE], va_list list);

/* A row of the generated table of wrappers. */
typedef void *interpose_pointer __attribute__((may_alias));
struct interpose_wrapper {
    struct interpose_call *call;
    interpose_pointer *next; /* where MPI_X goes: at first, as if there were no tool */
    void *through_tool;      /* where it goes when there is one */
    const char *straight;    /* not NULL: without a tool it goes to the function of this name */
};
extern const struct interpose_wrapper interpose_wrappers[] INTERPOSE_HIDDEN;
extern const int interpose_wrapper_count INTERPOSE_HIDDEN;

/* ---- the real functions ---- */

/* The next definition of `name` after this library, from its MPI. Where there is none the program
 * cannot go on; then, as the dynamic linker would, say so and end it. */
void *interpose_next(const char *name);

/* Point to the real function `name`. Any number of threads may do so: they write the same. */
#define INTERPOSE_FIND(pointer, name) \
    __atomic_store_n(&(pointer), (__typeof__(pointer))interpose_next(name), __ATOMIC_RELAXED)

/* The same, if it has not been done. */
#define INTERPOSE_RESOLVE(pointer, name)                    \
    do {                                                    \
        if (!__atomic_load_n(&(pointer), __ATOMIC_RELAXED)) \
            INTERPOSE_FIND(pointer, name);                  \
    } while (0)

#endif
