/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tried.h - the MPIs and launchers that were run here, and how: the only list. README's table is
 * compared with it (tests/cmd/launchers.tap), doctor asks it about the MPI of a job.
 */
#ifndef RESEAT_TRIED_H
#define RESEAT_TRIED_H

/* How it is known that something works. */
enum tried {
    TRIED_NOT,
    TRIED_DOCUMENTS, /* written from documents only */
    TRIED_BY_HAND,   /* run, in the month of the row */
    TRIED_IN_FULL,   /* by `scripts/check --debian N`, which is not part of each scripts/check */
    TRIED_ALWAYS     /* in each scripts/check */
};

struct tried_row {
    const char *mpi;      /* as it calls itself, up to the number */
    const char *release;  /* "4.1.4"; "": none */
    const char *launcher; /* for people */
    const char *month;    /* of TRIED_BY_HAND */
    enum tried profile, run, graph, placement, verify;
};

/* Row number `number`, from 0; NULL after the last. */
const struct tried_row *tried_row(int number);

/*
 * Returns 1 if a job of an MPI was watched here in a release of the same series, the first two
 * numbers: "MPICH 4.0.3" is in that of "MPICH 4.0.2". Text may follow the number.
 */
int tried_has(const char *mpi);

#endif
