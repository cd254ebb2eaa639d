/* SPDX-License-Identifier: BSD-3-Clause */
/* groups.h - what MPI says about groups in a unit test, which is one process of `groups_size` and has rank `groups_rank`
 * in each of them. All groups are MPI_GROUP_EMPTY. */
#ifndef TESTS_GROUPS_H
#define TESTS_GROUPS_H

extern int groups_size, groups_rank;

/* The rank in another group; NULL: the same. */
extern int (*groups_translated)(int rank);

#endif
