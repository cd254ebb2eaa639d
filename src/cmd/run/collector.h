/* SPDX-License-Identifier: BSD-3-Clause */
/* collector.h - capture what a job prints, and pass it on. */
#ifndef RESEAT_COLLECTOR_H
#define RESEAT_COLLECTOR_H

#include <stdio.h>
#include <sys/types.h>

struct collector {
    pid_t process;
    int end;     /* for the job to write to */
    FILE *kept;  /* the first COLLECTOR_MOST bytes, after collector_close */
    int is_torn; /* some output could not be kept */
};

enum { COLLECTOR_MOST = 9 << 20 };

/* Begin. `live` (-1: none) gets the output too, line by line as it comes, except lines that contain
 * `without`. 0, or -1 with errno. */
int collector_open(struct collector *collector, int live, const char *without);

/* The job has ended. Does not wait for processes that it has left behind, if they keep `end` open
 * for more than two seconds. */
void collector_close(struct collector *collector);

/* Free what was kept. */
void collector_free(struct collector *collector);

#endif
