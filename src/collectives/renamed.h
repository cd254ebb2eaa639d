/* SPDX-License-Identifier: BSD-3-Clause */
/* renamed.h - the functions of choices.h under names of the MPI CHOICES_OF, for abi.c. */
#ifndef RESEAT_RENAMED_H
#define RESEAT_RENAMED_H

#define RENAMED_JOIN(mpi, name) mpi##_##name
#define RENAMED_FOR(mpi, name) RENAMED_JOIN(mpi, name)
#define RENAMED(name) RENAMED_FOR(CHOICES_OF, name)

#define choices_release RENAMED(choices_release)
#define choices_name RENAMED(choices_name)
#define empty_blocks_travel RENAMED(empty_blocks_travel)
#define choose_barrier RENAMED(choose_barrier)
#define choose_bcast RENAMED(choose_bcast)
#define choose_reduce RENAMED(choose_reduce)
#define choose_allreduce RENAMED(choose_allreduce)
#define choose_gather RENAMED(choose_gather)
#define choose_scatter RENAMED(choose_scatter)
#define choose_allgather RENAMED(choose_allgather)
#define choose_allgatherv RENAMED(choose_allgatherv)
#define choose_alltoall RENAMED(choose_alltoall)
#define choose_reduce_scatter RENAMED(choose_reduce_scatter)
#define choose_reduce_scatter_block RENAMED(choose_reduce_scatter_block)
#define choose_scan RENAMED(choose_scan)

#endif
