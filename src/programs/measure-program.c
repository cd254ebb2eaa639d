/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure-program.c - measures the machine that a job has got, and prints the lines of a file of
 * timings (timings/timings.h): the MPI program of `reseat measure`, built for each MPI. Only that
 * command starts it, with the seconds that it may take, and 1 to show its progress.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "programs/finish.h"
#include "programs/measure-rounds.h"
#include "programs/measure-tasks.h"
#include "programs/report-lines.h"
#include "reorder/seats.h"

extern char **environ;

/* Rank 0's knowledge of a rank. */
struct measure_rank {
    struct reseat_location location;
    int32_t processors; /* of its node */
    int32_t card_level; /* of its node, by the first process there (reseat_node_card_level) */
};

struct measure {
    int rank, ranks;
    struct measure_limits limits;
    struct seats seats;
    struct measure_rank *all; /* at rank 0 */
    char *room;
};

/* ---- what is said about it ---- */

/* The nodes, and whether one of them has more ranks than processors. */
static int32_t measure_count_nodes(const struct measure *m, int *is_oversubscribed)
{
    int32_t nodes = 0, *on = calloc((size_t)m->ranks, sizeof *on);
    for (int i = 0; i < m->ranks && on; i++) {
        int32_t node = m->all[i].location.node;
        nodes = node >= nodes ? node + 1 : nodes;
        *is_oversubscribed |= node < m->ranks && ++on[node] > m->all[i].processors;
    }
    free(on);
    return nodes;
}

static int measure_add_headers(const struct measure *m, struct reseat_timings *timings,
                               struct reseat_error *error)
{
    char host[RESEAT_HOST_SIZE] = "", version[MPI_MAX_LIBRARY_VERSION_STRING] = "", ranks[16],
         nodes[16];
    int length, is_oversubscribed = 0;
    gethostname(host, sizeof host - 1);
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    for (char *blank = version; (blank = strpbrk(blank, "\t")); blank++)
        *blank = ' ';
    snprintf(ranks, sizeof ranks, "%d", m->ranks);
    snprintf(nodes, sizeof nodes, "%d", (int)measure_count_nodes(m, &is_oversubscribed));
    return reseat_timings_add_header(timings, "host", host, error) ||
           reseat_timings_add_header(timings, "mpi", version, error) ||
           reseat_timings_add_header(timings, "ranks", ranks, error) ||
           reseat_timings_add_header(timings, "nodes", nodes, error) ||
           (is_oversubscribed &&
            reseat_timings_add_header(timings, "oversubscribed",
                                      "yes: a node has more ranks than processors", error));
}

/* ---- rank 0 ---- */

/* Choose who measures what. 0, or -1 with *error. */
static int measure_make_plan(const struct measure *m, struct measure_plan *plan,
                             struct reseat_error *error)
{
    size_t ranks = (size_t)m->ranks;
    struct reseat_location *locations = malloc(ranks * sizeof *locations);
    int32_t *slot_of = malloc(ranks * sizeof *slot_of);
    struct tmap_tree *tree = NULL;
    struct measure_machine machine = {.ranks = m->ranks, .card_level = -1};
    int rc = 0;
    for (size_t i = 0; i < ranks && locations; i++) {
        locations[i] = m->all[i].location;
        if (m->all[i].card_level > machine.card_level)
            machine.card_level = m->all[i].card_level;
    }
    if (!locations || !slot_of)
        rc = reseat_fail(error, "out of memory");
    else
        rc = reseat_location_tree(&tree, locations, m->ranks, &m->seats.network, slot_of, error);
    machine.tree = tree;
    machine.slot_of = slot_of;
    machine.locations = locations;
    if (!rc && measure_plan_make(plan, &machine))
        rc = reseat_fail(error, "out of memory");
    tmap_tree_destroy(tree);
    free(locations);
    free(slot_of);
    return rc ? -1 : 0;
}

/* Print a file, line by line; nothing if there is no memory for all of it. */
static void measure_print(const struct reseat_timings *timings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return;
    reseat_timings_write(file, timings);
    int is_whole = !ferror(file);
    is_whole &= fclose(file) == 0;
    for (char *line = text, *end; is_whole && (end = strchr(line, '\n')); line = end + 1)
        printf(MEASURE_LINE "file %.*s\n", (int)(end - line), line);
    if (is_whole)
        printf(MEASURE_LINE "end\n");
    free(text);
}

static void measure_lead_all(struct measure *m)
{
    static struct measure_plan plan;
    struct reseat_timings *timings = NULL;
    struct reseat_error error = {"out of memory"};
    int rc = reseat_timings_create(&timings, &error) || measure_make_plan(m, &plan, &error) ||
             measure_rounds(timings, &plan, &m->limits, m->room, &error) ||
             measure_add_headers(m, timings, &error) || reseat_timings_check(timings, &error);
    measure_end(m->ranks);
    if (rc)
        printf(MEASURE_LINE "error %s\n", error.text);
    else
        measure_print(timings);
    reseat_timings_destroy(timings);
}

/* ---- all ---- */

/* Ignores complaints about settings: the command has checked them, and not every rank has to
 * complain. */
static void measure_ignore(void *context, const char *line)
{
    (void)context;
    (void)line;
}

/* Bring what is known of the ranks to rank 0. Collective. 0, or -1: some rank is out of memory, or
 * in trouble, about which it has printed a line. */
static int measure_open(struct measure *m)
{
    struct reseat_settings settings;
    struct trouble trouble = {0};
    struct measure_rank mine;
    memset(&mine, 0, sizeof mine);
    reseat_settings_read(&settings, environ, measure_ignore, NULL);
    if (seats_find_nodes(&m->seats, &settings, MPI_COMM_WORLD, &(struct seats_word){.program = 0},
                         &trouble))
        return -1;
    seats_open(&m->seats, &settings, &trouble);
    mine.location = m->seats.self.location;
    mine.card_level = m->seats.leader == m->rank ? reseat_node_card_level(settings.topology) : -1;
    mine.processors = (int32_t)sysconf(_SC_NPROCESSORS_ONLN);
    m->room = measure_room();
    m->all = m->rank == 0 ? malloc((size_t)m->ranks * sizeof *m->all) : NULL;
    if (!m->room || (m->rank == 0 && !m->all))
        trouble_note(&trouble, "out of memory");
    if (trouble_agree(&trouble, MPI_COMM_WORLD))
        return -1;
    MPI_Gather(&mine, sizeof mine, MPI_BYTE, m->all, sizeof mine, MPI_BYTE, 0, MPI_COMM_WORLD);
    return 0;
}

static void measure_all(struct measure *m)
{
    int failed = measure_open(m);
    if (failed && m->rank == 0)
        printf(MEASURE_LINE "error a rank is in trouble, of which it has printed a line\n");
    else if (m->rank == 0)
        measure_lead_all(m);
    else if (!failed)
        measure_follow(m->room);
}

static void measure_close(struct measure *m)
{
    seats_close(&m->seats);
    free(m->all);
    free(m->room);
}

int main(int argc, char **argv)
{
    struct measure m = {.room = NULL};
    if (argc != 3) {
        fprintf(stderr, "reseat measure starts this program\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &m.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &m.ranks);
    m.limits = (struct measure_limits){atof(argv[1]), atoi(argv[2])};
    if (m.ranks < 2) {
        puts(MEASURE_LINE
             "error one rank has nobody to send to: the launcher must start two or more");
    } else {
        measure_all(&m);
        measure_close(&m);
    }
    finish_mpi();
    return 0;
}
