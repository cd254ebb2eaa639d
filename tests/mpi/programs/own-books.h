/* SPDX-License-Identifier: BSD-3-Clause */
/* own-books.h - a test program's own books: what it knows that it has sent, for comparison with the
 * profile. Each rank writes `PREFIX.RANK` with lines `source target msgs bytes`. */
#ifndef EXPECT_H
#define EXPECT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXPECT_MOST = 256 };
static long long expect_msgs[EXPECT_MOST], expect_bytes[EXPECT_MOST];

/* This rank has sent one message of `bytes` to `role`. */
static void expect(int role, long long bytes)
{
    expect_msgs[role]++;
    expect_bytes[role] += bytes;
}

static void expect_write(const char *prefix, int role)
{
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", prefix, role);
    FILE *file = fopen(name, "w");
    if (!file)
        exit(3);
    for (int i = 0; i < EXPECT_MOST; i++)
        if (expect_msgs[i])
            fprintf(file, "%d %d %lld %lld\n", role, i, expect_msgs[i], expect_bytes[i]);
    fclose(file);
}

#endif
