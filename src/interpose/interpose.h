/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interpose.h - what a generated wrapper needs: the guard, the way to the real function, and the
 * way through other tools.
 *
 * A wrapper has two entries. PMPI_X forwards to the next PMPI_X, which is the MPI's. MPI_X does the
 * same, unless another tool after this library wraps it (tools.h): then it calls the tool's MPI_X,
 * whose PMPI_ calls come back to our PMPI_ entries (doc/design/0007-other-tools.md). Open MPI's
 * Fortran library calls PMPI_X, MPICH's calls either. MPI calls itself by these names, so a
 * thread-local depth, the guard, tells the application's own call (depth 0) from calls inside it.
 * The hot path leaves the guard down (calls.tbl: noguard).
 *
 * An error handler or callback of the application may leave MPI by longjmp or a C++ exception, and
 * our wrapper with it, which then never lowers the guard. Calls made inside a wrapper have frames
 * at lower addresses. So a call whose frame is at the address of the wrapper that raised the guard,
 * or above, shows that this wrapper is gone. For calls below it, so does another return address in
 * its frame, which is looked at now and then, unless MPI or this library makes the call. Before a
 * function in which ranks wait for each other (calls.tbl: together), it is enough that no function
 * of MPI is among its callers. (With user-level threads that switch inside MPI, a call on
 * another stack may show the same, wrongly; then a call of MPI's own may be recorded.)
 */
#ifndef RESEAT_INTERPOSE_H
#define RESEAT_INTERPOSE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define INTERPOSE_EXPORT __attribute__((visibility("default")))
#define INTERPOSE_HIDDEN __attribute__((visibility("hidden")))
#define INTERPOSE_TLS __thread __attribute__((tls_model("initial-exec")))

/* Set from the end of MPI_Init to the start of MPI_Finalize, if there is something to record or to
 * reorder and the MPI is the one that this library was built for. */
extern int interpose_active INTERPOSE_HIDDEN;

/* The same, if there is something to record. */
extern int interpose_recording INTERPOSE_HIDDEN;

extern INTERPOSE_TLS int interpose_depth INTERPOSE_HIDDEN;

/* The wrapper that raised the guard from 0. */
struct interpose_outermost {
    const uintptr_t *frame;
    uintptr_t back; /* where it returns to, which stands behind the address of its frame */
    unsigned calls; /* inside it, so far, by code outside libmpi and this library */
};
extern INTERPOSE_TLS struct interpose_outermost interpose_outermost INTERPOSE_HIDDEN;

/* If that wrapper has been left without returning, forget it. Of a call now, `frame` is the
 * wrapper's, which returns to `address`. `together`: of a function in which ranks wait for each
 * other. */
void interpose_find_left(const uintptr_t *frame, const void *address, int together);

/* The depth, for a function with this frame. */
static inline __attribute__((always_inline)) int interpose_depth_at(const uintptr_t *frame)
{
    if (__builtin_expect(interpose_depth, 0))
        interpose_find_left(frame, __builtin_return_address(0), 0);
    return interpose_depth;
}

/* Before the guard is raised for a function in which ranks wait for each other. */
static inline __attribute__((always_inline)) void interpose_begin_together(void)
{
    if (interpose_depth)
        interpose_find_left(__builtin_frame_address(0), __builtin_return_address(0), 1);
}

/* Raise the guard. Returns what the depth was. */
static inline __attribute__((always_inline)) int interpose_raise(void)
{
    const uintptr_t *frame = __builtin_frame_address(0);
    if (interpose_depth_at(frame) == 0) {
        interpose_outermost.frame = frame;
        interpose_outermost.back = frame[1];
        interpose_outermost.calls = 0;
    }
    return interpose_depth++;
}

/* Raise the guard; 1 if the application itself made this call. */
static inline __attribute__((always_inline)) int interpose_enter(void)
{
    return interpose_raise() == 0;
}

/* The same without raising the guard. */
static inline __attribute__((always_inline)) int interpose_is_outer(void)
{
    return interpose_depth_at(__builtin_frame_address(0)) == 0;
}

/* The same for the fast path, where 0 may also mean that the guard was left up. */
static inline int interpose_is_down(void)
{
    return interpose_depth == 0;
}

/* It may be down, where a call of another stack, of a coroutine, was taken for the end of this. */
static inline void interpose_leave(void)
{
    interpose_depth -= interpose_depth > 0;
}

/* ---- other tools ---- */

/* A function that a tool may wrap. */
struct interpose_call {
    const char *name;   /* MPI_X */
    void (*tool)(void); /* the tool's; NULL: none after this library */
    int comes_back;     /* it certainly calls PMPI_X by name, which is ours */
};

/* Another tool is at work, before or after this library: then there is no fast path. */
extern int interpose_tools INTERPOSE_HIDDEN;

/* The call that this thread has handed to a tool. */
struct interpose_errand {
    const struct interpose_call *call; /* the application's, until it comes back; or NULL */
    uintptr_t first; /* its first argument, as the tool may call the same function itself */
    int depth;       /* of what the tool itself calls; 0: no tool is at work */
};
extern INTERPOSE_TLS struct interpose_errand interpose_errand INTERPOSE_HIDDEN;

/* Before and after calling the tool's function. `call` NULL: the caller records the call itself.
 * interpose_hand_over() returns what interpose_take_back() needs; that returns 1 if the application
 * made the call and no PMPI_ entry has seen it. */
struct interpose_errand interpose_begin_errand(const struct interpose_call *call, uintptr_t first);
static inline __attribute__((always_inline)) struct interpose_errand
interpose_hand_over(const struct interpose_call *call, uintptr_t first)
{
    return interpose_begin_errand(interpose_enter() ? call : NULL, first);
}
int interpose_take_back(struct interpose_errand before);

/* Who has called a PMPI_ entry. */
enum interpose_caller {
    INTERPOSE_MPI,         /* or this library: inside another call */
    INTERPOSE_APPLICATION, /* possibly through a tool */
    INTERPOSE_TOOL         /* on its own behalf */
};

/* Find out where there are tools, for a call that returns to `address`, at this depth. */
enum interpose_caller interpose_find_caller(const struct interpose_call *call, uintptr_t first,
                                            const void *address, int depth);

/* Raise the guard. `first` is the first argument of the call. */
static inline __attribute__((always_inline)) enum interpose_caller
interpose_enter_from(const struct interpose_call *call, uintptr_t first)
{
    int depth = interpose_raise();
    if (interpose_tools)
        return interpose_find_caller(call, first, __builtin_return_address(0), depth);
    return depth == 0 ? INTERPOSE_APPLICATION : INTERPOSE_MPI;
}

/* Without raising the guard, for a PMPI_ entry that only the application and tools before this
 * library call: 1 if the application called it. */
static inline __attribute__((always_inline)) int
interpose_is_application(const struct interpose_call *call)
{
    return interpose_is_outer() &&
           (!interpose_tools || interpose_find_caller(call, 0, __builtin_return_address(0), 0) ==
                                    INTERPOSE_APPLICATION);
}

/* Raise the guard; 1 if the application or a tool made this call, 0 inside another one. */
static inline __attribute__((always_inline)) int interpose_enter_outermost(void)
{
    int depth = interpose_raise();
    return depth == 0 || depth == interpose_errand.depth;
}

/* The same when the guard has already been raised for this call. */
static inline int interpose_is_outermost(void)
{
    return interpose_depth == 1 ||
           (interpose_errand.depth > 0 && interpose_depth == interpose_errand.depth + 1);
}

/* The same when it may have been raised up to `most` times. */
static inline int interpose_is_within(int most)
{
    return interpose_depth <= most ||
           (interpose_errand.depth > 0 && interpose_depth <= interpose_errand.depth + most);
}

/* Number of words that a tool gets in place of the dots of MPI_Pcontrol, since the real number is
 * not known. No floating-point numbers. */
enum { INTERPOSE_MORE = 6 };
void interpose_more(void *words[INTERPOSE_MORE], va_list list);

/* A row of the generated table of wrappers. */
typedef void *interpose_pointer __attribute__((may_alias));
struct interpose_wrapper {
    struct interpose_call *call;
    interpose_pointer *next;    /* where MPI_X leads: initially, as if there were no tool */
    void *through_tool;         /* where it leads if there is one */
    const char *straight;       /* not NULL: without a tool it leads to the function of this name */
    interpose_pointer *real;    /* to the MPI's function */
    interpose_pointer *untimed; /* the same, for `timed`: runtime.c */
    void *timed;                /* measures how long some of its calls take; NULL: never */
};
extern const struct interpose_wrapper interpose_wrappers[] INTERPOSE_HIDDEN;
extern const int interpose_wrapper_count INTERPOSE_HIDDEN;

/* The kinds of functions by which time is measured (run-time.h), as the profile names them; NULL
 * after the last one. */
extern const char *const interpose_time_kinds[] INTERPOSE_HIDDEN;

/* ---- the real functions ---- */

/* The next definition of `name` after this library, from its MPI. Without one the program cannot go
 * on: print a line and end it, as the dynamic linker would. */
void *interpose_next(const char *name);

/* Set a pointer to the real function `name`. Any number of threads may do this: they write the
 * same. */
#define INTERPOSE_FIND(pointer, name) \
    __atomic_store_n(&(pointer), (__typeof__(pointer))interpose_next(name), __ATOMIC_RELAXED)

/* The same, unless that has been done. */
#define INTERPOSE_RESOLVE(pointer, name)                    \
    do {                                                    \
        if (!__atomic_load_n(&(pointer), __ATOMIC_RELAXED)) \
            INTERPOSE_FIND(pointer, name);                  \
    } while (0)

#endif
