/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.h - what we write may not end the program: neither a limit of file sizes (SIGXFSZ) nor a
 * standard error that nobody reads (SIGPIPE). */
#ifndef RESEAT_SIGNALS_H
#define RESEAT_SIGNALS_H

#include <signal.h>

struct signals_held {
    sigset_t mask;    /* of the thread, before */
    sigset_t pending; /* before: those are the program's */
};

/* Between these two, writes of the calling thread fail with EFBIG and EPIPE only. They nest, and
 * threads do not disturb each other: both signals go to the thread that writes. */
void signals_hold(struct signals_held *held);
void signals_release(const struct signals_held *held);

#endif
