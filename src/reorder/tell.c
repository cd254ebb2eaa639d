/* SPDX-License-Identifier: BSD-3-Clause */
/* tell.c - see tell.h. */
#include "reorder/tell.h"

#include <stdio.h>
#include <time.h>

#include "format/gain.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void account_open(struct account *account)
{
    *account = (struct account){.last = now()};
}

void account_add(struct account *account, const char *name, double bytes)
{
    double end = now();
    if (account->count < (int)(sizeof account->step / sizeof account->step[0]))
        account->step[account->count++] = (struct step){name, end - account->last, bytes};
    account->last = end;
}

static double total_seconds(const struct account *account)
{
    double seconds = 0;
    for (int i = 0; i < account->count; i++)
        seconds += account->step[i].seconds;
    return seconds;
}

static const char *strategy_name(enum reseat_strategy strategy)
{
    return strategy == RESEAT_STRATEGY_NODE       ? "node"
           : strategy == RESEAT_STRATEGY_TWOLEVEL ? "twolevel"
                                                  : "global";
}

/* Bytes are not all: a clause where messages between nodes become many more. */
static void tell_messages(const struct tale *tale)
{
    double times = reseat_more_messages(tale->messages[0], tale->messages[1]);
    if (times > 0)
        fprintf(stderr, "; messages between nodes: %.1f times as many (see RESEAT_METRIC)", times);
}

static void tell_verdict(const struct tale *tale)
{
    double gain = reseat_gain(tale->cost[0], tale->cost[1]);
    fprintf(stderr, "reseat: %s, %d ranks: ", tale->function, tale->ranks);
    if (tale->done) {
        fprintf(stderr,
                "reordered, predicted cost %.4g -> %.4g (-%.1f %%; %s, %s, pattern from the %s, "
                "%.1f ms)",
                tale->cost[0], tale->cost[1], 100 * gain, tale->decision->method,
                strategy_name(tale->strategy),
                tale->source == RESEAT_PATTERN_PROFILE ? "profile" : "call",
                1e3 * total_seconds(tale->account));
        tell_messages(tale);
        fprintf(stderr, "\n");
    } else if (tale->cost[0] <= 0)
        fprintf(stderr, "launch order kept: the pattern is empty\n");
    else if (tale->blind)
        fprintf(stderr, "launch order kept: one node, and no rank is bound to a part of it: no "
                        "order is better\n");
    else
        fprintf(stderr, "launch order kept: predicted gain %.1f %%, RESEAT_MIN_GAIN is %.1f %%\n",
                100 * gain, 100 * tale->min_gain);
}

static void tell_table(const struct tale *tale)
{
    const struct decision *d = tale->decision;
    if (tale->strategy == RESEAT_STRATEGY_NODE)
        fprintf(stderr, "reseat:   for the node of rank 0:\n");
    fprintf(stderr, "reseat:   %-14s %10s\n",
            tale->strategy == RESEAT_STRATEGY_TWOLEVEL ? "among nodes" : "candidate", "cost");
    for (int i = 0; i < d->candidates; i++)
        fprintf(stderr, "reseat:   %-14s %10.4g\n", d->candidate[i].name, d->candidate[i].cost);
    fprintf(stderr, "reseat:   %-14s %10s %10s\n", "between", "launch", "found");
    for (int i = 0; i < d->levels; i++)
        fprintf(stderr, "reseat:   %-14s %10.4g %10.4g\n", d->level[i].name, d->level[i].before,
                d->level[i].after);
    fprintf(stderr, "reseat:   %-22s %10s %12s\n", "step", "ms", "bytes");
    for (int i = 0; i < tale->account->count; i++) {
        const struct step *step = &tale->account->step[i];
        fprintf(stderr, "reseat:   %-22s %10.2f %12.0f\n", step->name, 1e3 * step->seconds,
                step->bytes);
    }
}

void tell(const struct tale *tale, int verbose)
{
    if (verbose >= 1)
        tell_verdict(tale);
    if (verbose >= 2)
        tell_table(tale);
}
