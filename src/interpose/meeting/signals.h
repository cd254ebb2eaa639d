/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.h - what we write must not end the program, neither by a limit on file sizes (SIGXFSZ)
 * nor by a standard error without a reader (SIGPIPE). */
#ifndef RESEAT_SIGNALS_H
#define RESEAT_SIGNALS_H

#include <signal.h>

struct signals_held {
    sigset_t mask;    /* of the thread, before */
    sigset_t pending; /* signals that were pending before are the program's */
};

/* Between these two, writes of the calling thread just fail, with EFBIG or EPIPE. They nest, and do
 * not affect other threads: both signals go to the thread that writes. */
void signals_hold(struct signals_held *held);
void signals_release(const struct signals_held *held);

#endif
