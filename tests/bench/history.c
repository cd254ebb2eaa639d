/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * history [HISTORIES [CHANGES [NODES]]] - how well the order of the next job is decided by the jobs before
 * (history/history.h), on simulated histories of 40 jobs, beside rules that are simpler:
 *
 *   plain      the launch order always: costs nothing, gains nothing
 *   always     the better order from the second job on, because it is predicted to gain
 *   fixed3     three jobs in each order in turn, then the one with the smaller median
 *   sequential in turn until the exact interval of the gain leaves 0 out, at most ten of each
 *   matching   an order is run as often as it is believed to be the better one (Thompson 1933, by
 *              counting instead of chance)
 *   history    history_decide
 *
 * CHANGES: after each so many jobs the pattern is another one. The job that shows it has the old order,
 * which is as slow as the launch order; simpler rules go on as if nothing had been. NODES: each job
 * has another number of nodes, drawn among so many; only history compares jobs on equal numbers,
 * which here takes nothing from the simpler rules: their seconds do not depend on it.
 *
 * The first job is in launch order, since it is recorded. Durations have log-normal noise; 3 % of the
 * jobs take 1.3 to 3 times as long. Prints TSV: of each rule, noise and true gain
 *   wrong      % of histories in which the worse order leads after 10 jobs
 *   over       % that the 40 jobs take more than in launch order always (without noise, mean)
 *   over95     the same, of the worst histories but 5 %
 *   gained     % of what the better order always would have saved
 *   tries      jobs in the worse order
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/history-belief.h"
#include "history/history-shift.h"
#include "history/history.h"

enum { JOBS = 40, KNOWN = 10 };

/* The orders of the next job and of those that look better so far. */
struct choice {
    int run, leads;
};

struct story {
    struct past_job job[JOBS];
    uint64_t pattern;
    struct shift_sample sample[JOBS];
    size_t jobs, in[2];
    int nodes; /* of the next job */
};

typedef struct choice rule_fn(const struct story *story);

/* ---- rules ---- */

static struct choice plain(const struct story *story)
{
    (void)story;
    return (struct choice){0, 0};
}

static struct choice always(const struct story *story)
{
    return (struct choice){story->jobs > 0, 1};
}

static struct choice fixed3(const struct story *story)
{
    double value[2][JOBS];
    size_t n[2] = {0, 0};
    for (size_t i = 0; i < story->jobs; i++) {
        int order = story->sample[i].better;
        value[order][n[order]++] = story->sample[i].value;
    }
    int leads = n[1] == 0 || shift_median(value[1], n[1]) < shift_median(value[0], n[0]);
    return (struct choice){story->jobs < 6 ? story->jobs % 2 == 1 : leads, leads};
}

static struct choice sequential(const struct story *story)
{
    struct shift shift;
    if (story->jobs < 2)
        return (struct choice){story->jobs == 1, 1};
    struct shift_sample latest[2 * SHIFT_MOST];
    size_t count = 0, in[2] = {0, 0};
    for (size_t i = 0; i < story->jobs; i++)
        if (in[story->sample[i].better]++ < SHIFT_MOST)
            latest[count++] = story->sample[i];
    shift_estimate(&shift, latest, count);
    int leads = shift.estimate < 0, is_sure = shift.high < 0 || shift.low > 0;
    if (is_sure || (story->in[0] >= 10 && story->in[1] >= 10))
        return (struct choice){leads, leads};
    return (struct choice){story->in[1] < story->in[0], leads};
}

static struct choice matching(const struct story *story)
{
    struct belief belief;
    struct shift_sample latest[2 * SHIFT_MOST];
    size_t count = 0, in[2] = {0, 0};
    for (size_t i = story->jobs; i-- > 0;)
        if (in[story->sample[i].better]++ < SHIFT_MOST)
            latest[count++] = story->sample[i];
    belief_form(&belief, latest, count, 0);
    double better = 0.5 * erfc(belief.mean / belief.deviation / sqrt(2));
    double due = better * (double)(story->jobs + 1) - (double)story->in[1];
    int run = better > 0.975 || (better >= 0.025 && due >= 0.5);
    return (struct choice){story->jobs && run, belief.mean < 0};
}

static struct choice by_history(const struct story *story)
{
    struct history_decision decision;
    struct next_job next = {.nodes = story->nodes, .machine = 1, .order = 1, .predicted = 0.2};
    next.pattern = story->jobs ? story->pattern : 0;
    history_decide(&decision, story->job, story->jobs, &next);
    return (struct choice){decision.run == HISTORY_BETTER, decision.leads == HISTORY_BETTER};
}

static const struct {
    const char *name;
    rule_fn *rule;
} rules[] = {{"plain", plain},           {"always", always},     {"fixed3", fixed3},
             {"sequential", sequential}, {"matching", matching}, {"history", by_history}};

/* ---- histories ---- */

/* Uniform in (0, 1), the same sequence everywhere (xorshift64*). */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)((*state * UINT64_C(2685821657736338717)) >> 11) + 0.5) / 9007199254740992.0;
}

static double noise(uint64_t *state, double spread)
{
    double normal = sqrt(-2 * log(uniform(state))) * cos(2 * M_PI * uniform(state));
    double outlier = uniform(state) < 0.03 ? log(1.3 + 1.7 * uniform(state)) : 0;
    return log1p(spread) * normal + outlier;
}

static void add_job(struct story *story, int better, double value)
{
    story->sample[story->jobs] = (struct shift_sample){value, 0, better};
    story->job[story->jobs] = (struct past_job){.seconds = exp(value) / story->nodes,
                                                .seconds_in_mpi = NAN,
                                                .predicted = 0.2,
                                                .nodes = story->nodes,
                                                .machine = 1,
                                                .pattern = story->pattern,
                                                .order = (uint64_t)better};
    story->jobs++;
    story->in[better]++;
}

struct result {
    double wrong, over, gained, tries;
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct kind {
    double spread, gain;
    int change, nodes;
};

static void run_history(struct result *result, double *over, rule_fn *rule, const struct kind *kind,
                        uint64_t seed)
{
    struct story story = {.pattern = 1};
    double gain = kind->gain;
    double seconds = 0;
    for (int i = 0; i < 8; i++)
        uniform(&seed);
    for (int j = 0; j < JOBS; j++) {
        story.nodes = kind->nodes > 1 ? 1 + (int)(uniform(&seed) * kind->nodes) : 1;
        struct choice choice = rule(&story);
        result->wrong += j == KNOWN && gain != 0 && choice.leads != (gain > 0);
        int changes = j > 0 && j % kind->change == 0;
        double takes = choice.run && !changes ? 1 - gain : 1;
        seconds += takes;
        story.pattern += (uint64_t)changes;
        add_job(&story, choice.run, log(takes) + noise(&seed, kind->spread));
        if (changes && choice.run)
            story.job[j].order = 2; /* the one for the pattern before */
    }
    *over = seconds / JOBS - 1;
    result->over += *over;
    result->gained += gain > 0 ? -*over / gain : 0;
    result->tries += (double)story.in[gain <= 0];
}

int main(int count, char **arguments)
{
    static const double spreads[] = {0.01, 0.05, 0.2};
    static const double gains[] = {-0.2, -0.05, 0, 0.02, 0.05, 0.2, 0.6};
    size_t histories = count > 1 ? (size_t)strtoul(arguments[1], NULL, 10) : 1000;
    struct kind kind = {.change = count > 2 ? atoi(arguments[2]) : JOBS,
                        .nodes = count > 3 ? atoi(arguments[3]) : 1};
    double *over = malloc((histories ? histories : 1) * sizeof *over);
    if (!over || !histories)
        return 2;
    puts("rule\tnoise_percent\tgain_percent\thistories\twrong_percent\tover_percent\tover95_"
         "percent\tgained_percent\ttries");
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++)
        for (size_t s = 0; s < sizeof spreads / sizeof spreads[0]; s++)
            for (size_t g = 0; g < sizeof gains / sizeof gains[0]; g++) {
                struct result result = {0};
                kind.spread = spreads[s];
                kind.gain = gains[g];
                for (size_t h = 0; h < histories; h++)
                    run_history(&result, &over[h], rules[r].rule, &kind,
                                UINT64_C(0x9e3779b97f4a7c15) * (h + 1));
                qsort(over, histories, sizeof *over, compare);
                double n = (double)histories;
                printf("%s\t%g\t%g\t%zu\t%.1f\t%+.2f\t%+.2f\t", rules[r].name, 100 * spreads[s],
                       100 * gains[g], histories, 100 * result.wrong / n, 100 * result.over / n,
                       100 * over[(size_t)(0.95 * (n - 1))]);
                if (gains[g] > 0)
                    printf("%.1f", 100 * result.gained / n);
                printf("\t%.1f\n", result.tries / n);
            }
    free(over);
    return 0;
}
