/* SPDX-License-Identifier: BSD-3-Clause */
/* signals.c - see signals.h. */
#include "interpose/meeting/signals.h"

#include <time.h>

static const int signals_ours[] = {SIGXFSZ, SIGPIPE};

void signals_hold(struct signals_held *held)
{
    sigset_t ours;
    sigemptyset(&ours);
    for (size_t i = 0; i < sizeof signals_ours / sizeof signals_ours[0]; i++)
        sigaddset(&ours, signals_ours[i]);
    sigemptyset(&held->pending);
    sigpending(&held->pending);
    pthread_sigmask(SIG_BLOCK, &ours, &held->mask);
}

void signals_release(const struct signals_held *held)
{
    const struct timespec at_once = {0, 0};
    for (size_t i = 0; i < sizeof signals_ours / sizeof signals_ours[0]; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, signals_ours[i]);
        if (!sigismember(&held->pending, signals_ours[i]))
            sigtimedwait(&one, NULL, &at_once);
    }
    pthread_sigmask(SIG_SETMASK, &held->mask, NULL);
}
