/* SPDX-License-Identifier: BSD-3-Clause */
/* collector.h - what a job prints, kept for later and passed on. */
#ifndef RESEAT_COLLECTOR_H
#define RESEAT_COLLECTOR_H

#include <stdio.h>
#include <sys/types.h>

struct collector {
    pid_t process;
    int end;     /* for the job to write to */
    FILE *kept;  /* the first COLLECTOR_MOST bytes, after collector_close */
    int is_torn; /* some of them could not be kept */
};

enum { COLLECTOR_MOST = 9 << 20 };

/* Begin. `live` gets it too, line by line as it comes, but for lines that hold `without`; -1:
 * nobody does. 0, or -1 with errno. */
int collector_open(struct collector *collector, int live, const char *without);

/* The job has ended. Not waited for is what it has left behind: a process that holds `end` for more
 * than two seconds. */
void collector_close(struct collector *collector);

/* Remove what was kept. */
void collector_free(struct collector *collector);

#endif
