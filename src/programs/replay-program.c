/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay-program.c - sends what a profile recorded, without computing, and prints how long that
 * takes: the MPI program of `reseat replay` and `reseat verify --replay`, built for each MPI. Only
 * that command starts it, with these words:
 *
 *   PROFILE PHASE|-1 isend|alltoallv SCALE|0 SECONDS MOST-SCALE REPETITIONS PROGRESS
 *
 * With SCALE 0 the scale is chosen so that all repetitions take about SECONDS together, but at most
 * MOST-SCALE. With PROGRESS 1 standard error is a terminal, where a line says how far a replay is
 * that takes more than a second.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "programs/finish.h"
#include "programs/replay-rounds.h"
#include "programs/report-lines.h"

enum { REPLAY_WORDS = 9 };

#define REPLAY_DELAY 1.0 /* seconds before the line appears */

#ifdef RESEAT_SIMULATED
enum { SIMULATED = 1 };
#else
enum { SIMULATED = 0 };
#endif
#define REPLAY_MOST_SIMULATED 5e4 /* messages of all ranks */

/* More messages of a pair than this are not sent, whatever the scale. */
#define REPLAY_MOST_MESSAGES ((double)(UINT64_C(1) << 31))

struct replay {
    enum replay_way way;
    double scale, seconds, most_scale;
    int repetitions, shows_progress;
    double begun;
    struct replay_traffic traffic;
    struct replay_need recorded; /* by all ranks together */
    uint64_t busiest;            /* the most messages that were recorded of a pair */
};

/* ---- progress ---- */

/* Between two times that all is sent, `done` of which count. */
static void replay_show(const struct replay *r, int done)
{
    if (r->shows_progress && r->traffic.rank == 0 && clock_now() - r->begun >= REPLAY_DELAY)
        fprintf(stderr, "\rreseat replay: %d of %d repetitions\033[K", done, r->repetitions);
}

static void replay_erase(const struct replay *r)
{
    if (r->shows_progress && r->traffic.rank == 0)
        fputs("\r\033[K", stderr);
}

/* ---- once ---- */

static void replay_scale(struct replay *r, double scale)
{
    replay_pairs_scale(&r->traffic.out, scale);
    replay_pairs_scale(&r->traffic.in, scale);
}

static struct replay_need replay_sum_of_all(const struct replay *r)
{
    struct replay_need mine = replay_pairs_sum(&r->traffic.out), all;
    uint64_t from[2] = {mine.bytes, mine.messages}, to[2];
    MPI_Allreduce(from, to, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    all.bytes = to[0];
    all.messages = to[1];
    return all;
}

static double replay_once(struct replay *r, double scale)
{
    struct replay_rounds rounds;
    replay_scale(r, scale);
    replay_rounds_open(&rounds, &r->traffic, r->way);
    double seconds = replay_rounds_run(&rounds);
    replay_rounds_close(&rounds);
    return seconds;
}

/* ---- the scale ---- */

/* Simulated time is the same each time; the simulator's own grows with the messages. */
static double replay_scale_of_simulation(const struct replay *r)
{
    double scale = REPLAY_MOST_SIMULATED / (double)r->recorded.messages;
    return scale < r->most_scale ? scale : r->most_scale;
}

/* Try larger and larger scales until one takes long enough to tell. */
static double replay_find_scale(struct replay *r)
{
    double wanted = r->seconds / r->repetitions, most = r->most_scale;
    double scale = 16 / (double)r->busiest, seconds;
    for (;;) {
        scale = scale < most ? scale : most;
        replay_show(r, 0);
        seconds = replay_once(r, scale);
        if (scale >= most || seconds > wanted / 8)
            break;
        double factor = seconds > 0 ? wanted / 4 / seconds : 16;
        scale *= factor < 2 ? 2 : factor < 16 ? factor : 16;
    }
    double found = seconds > 0 ? scale * wanted / seconds : most;
    return found < most ? found : most;
}

static void replay_choose_scale(struct replay *r)
{
    uint64_t mine = 1;
    replay_scale(r, 1);
    mine = replay_pairs_most(&r->traffic.out);
    MPI_Allreduce(&mine, &r->busiest, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    r->recorded = replay_sum_of_all(r);
    if (r->busiest == 0)
        r->busiest = 1;
    double most = REPLAY_MOST_MESSAGES / (double)r->busiest;
    r->most_scale = r->most_scale < most ? r->most_scale : most;
    if (!SIMULATED)
        replay_once(r, 0); /* connections are made by the first message of each pair */
    if (r->scale <= 0)
        r->scale = !r->recorded.messages ? 1
                   : SIMULATED           ? replay_scale_of_simulation(r)
                                         : replay_find_scale(r);
    if (r->scale > most)
        r->scale = most;
}

/* ---- all ---- */

/* Collective. `seconds` of each repetition. */
static void replay_print(const struct replay *r, const struct replay_rounds *rounds,
                         const double *seconds)
{
    struct replay_need sent = replay_sum_of_all(r);
    if (r->traffic.rank != 0)
        return;
    printf(REPLAY_LINE "ranks %d\n", r->traffic.ranks);
    printf(REPLAY_LINE "recorded %llu %llu\n", (unsigned long long)r->recorded.messages,
           (unsigned long long)r->recorded.bytes);
    printf(REPLAY_LINE "sent %llu %llu\n", (unsigned long long)sent.messages,
           (unsigned long long)sent.bytes);
    printf(REPLAY_LINE "scale %.9g\n", r->scale);
    printf(REPLAY_LINE "rounds %llu\n", (unsigned long long)rounds->plan.rounds);
    for (int i = 0; i < r->repetitions; i++)
        printf(REPLAY_LINE "seconds %.9f\n", seconds[i]);
    printf(REPLAY_LINE "end\n");
}

/* Collective. */
static void replay_all(struct replay *r)
{
    struct replay_rounds rounds;
    double *seconds = malloc((size_t)r->repetitions * sizeof *seconds);
    if (!seconds)
        finish_without_memory();
    replay_choose_scale(r);
    replay_scale(r, r->scale);
    replay_rounds_open(&rounds, &r->traffic, r->way);
    MPI_Pcontrol(1); /* for a library that records: what counts is a phase of its own */
    for (int i = 0; i < r->repetitions; i++) {
        replay_show(r, i);
        seconds[i] = replay_rounds_run(&rounds);
    }
    MPI_Pcontrol(0);
    replay_erase(r);
    replay_print(r, &rounds, seconds);
    replay_rounds_close(&rounds);
    free(seconds);
}

int main(int argc, char **argv)
{
    struct reseat_error error;
    struct replay r = {.way = REPLAY_BY_ISEND};
    if (argc != REPLAY_WORDS) {
        fprintf(stderr, "reseat replay starts this program\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    if (strcmp(argv[3], "alltoallv") == 0)
        r.way = REPLAY_BY_ALLTOALLV;
    r.scale = atof(argv[4]);
    r.seconds = atof(argv[5]);
    r.most_scale = atof(argv[6]);
    r.repetitions = SIMULATED ? 1 : atoi(argv[7]);
    r.shows_progress = atoi(argv[8]);
    r.begun = clock_now();
    if (replay_load(&r.traffic, argv[1], atoi(argv[2]), &error) == 0)
        replay_all(&r);
    else if (r.traffic.rank == 0)
        printf(REPLAY_LINE "error %s\n", error.text);
    replay_unload(&r.traffic);
    finish_mpi();
    return 0;
}
