/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - the only way into the counters, for point-to-point and for the collective model
 * alike. */
#ifndef RESEAT_RECORD_H
#define RESEAT_RECORD_H

#include "profiler/communicators.h"

/* `msgs` messages of about the same size, of `bytes` bytes in all, to `rank` of `communicator`:
 * counted now, or kept for the starts of a persistent request (persistent_begin). MPI_PROC_NULL
 * records nothing. */
void record_traffic(struct communicator *communicator, int rank, enum reseat_traffic kind,
                    uint64_t msgs, uint64_t bytes);

/* Bytes of `count` elements: the size without gaps. 0 when MPI fails. */
uint64_t record_bytes(MPI_Count count, MPI_Datatype type);

/* A type that can never be freed, and its size: the one that this thread sent last. */
struct record_type {
    MPI_Datatype type;
    uint64_t size;
};
extern __thread struct record_type record_last_type __attribute__((tls_model("initial-exec")));

/* Look up the sizes of the most common types once, so that MPI need not be asked again. */
void record_prepare(void);
/* Return 1 if `type` is one of these, and if `op` is predefined and commutes. Neither kind of
 * handle can be freed. */
int record_knows(MPI_Datatype type);
int record_commutes(MPI_Op op);
/* Forget them, and the persistent requests. */
void record_stop(void);
/* Forget all windows. one-sided.c */
void one_sided_stop(void);

#endif
