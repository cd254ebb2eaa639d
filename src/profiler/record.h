/* SPDX-License-Identifier: BSD-3-Clause */
/* record.h - the one way by which traffic gets into the counters, for point-to-point and for the
 * collective model alike. */
#ifndef RESEAT_RECORD_H
#define RESEAT_RECORD_H

#include "profiler/communicators.h"

/* `msgs` messages of `bytes` bytes in all to `rank` of `communicator`: counted now, or kept for the
 * starts of a persistent request (persistent_begin). MPI_PROC_NULL is nobody. */
void record_traffic(struct communicator *communicator, int rank, enum reseat_traffic kind,
                    uint64_t msgs, uint64_t bytes);

/* Bytes of `count` elements: the true size, without holes. 0 when MPI fails. */
uint64_t record_bytes(MPI_Count count, MPI_Datatype type);

/* A type, one that can never be freed, and its size: the one that this thread has sent last. */
struct record_type {
    MPI_Datatype type;
    uint64_t size;
};
extern __thread struct record_type record_last_type __attribute__((tls_model("initial-exec")));

/* Learn the sizes of the types that most messages are made of, so that MPI need not be asked. */
void record_prepare(void);
/* Whether that is one of them; and whether an operation is one that every MPI has and that
 * commutes. Such handles cannot be freed. */
int record_knows(MPI_Datatype type);
int record_commutes(MPI_Op op);
/* Forget them, and the persistent requests. */
void record_stop(void);
/* Forget all windows. one-sided.c */
void one_sided_stop(void);

#endif
