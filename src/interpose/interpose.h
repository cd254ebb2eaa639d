/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * interpose.h - what a generated wrapper needs: the guard, the way to the real function.
 *
 * Every wrapper is MPI_X and PMPI_X at once, and forwards to the next PMPI_X: Open MPI's Fortran
 * library calls PMPI_X, MPICH's calls either. MPI calls itself through these names, so a
 * thread-local depth, the guard, tells the application's own call (depth 0) from what happens
 * inside it. What is on the way of every message leaves the guard down (calls.tbl: direct).
 */
#ifndef RESEAT_INTERPOSE_H
#define RESEAT_INTERPOSE_H

#define INTERPOSE_EXPORT __attribute__((visibility("default")))
#define INTERPOSE_HIDDEN __attribute__((visibility("hidden")))

/* Set between the end of MPI_Init and the start of MPI_Finalize, when there is something to record
 * or to reorder and the MPI is the one that this library was built for. */
extern int interpose_active INTERPOSE_HIDDEN;

/* The same, when there is something to record. */
extern int interpose_recording INTERPOSE_HIDDEN;

extern __thread int interpose_depth INTERPOSE_HIDDEN __attribute__((tls_model("initial-exec")));

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
