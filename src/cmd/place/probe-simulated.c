/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe-simulated.c - see probe.h: the seats of ranks that are simulated, which nobody can ask for
 * them. The launcher's file says: lines HOST, for one rank each, or HOST:RANKS; from the
 * beginning again where there are more ranks than that.
 */
#include "cmd/place/probe.h"

#include <stdlib.h>
#include <string.h>

#include "text/lines.h"

/* The value of the launcher's option with that action; NULL: it is not given. */
static const char *simulated_value(const struct job *job, char **argv, enum launcher_action action)
{
    int joined;
    for (int i = job->options_at; i < job->wrapper; i++) {
        const struct launcher_option *option = launcher_option_of(job->launcher, argv[i], &joined);
        if (option && option->action == action)
            return joined ? argv[i] + joined : argv[i + 1];
    }
    return NULL;
}

/* Add the ranks of a line, at most `most`. Returns how many; -1: out of memory, or no host. */
static int32_t simulated_take_line(struct probe *probe, char *line, int32_t most, probe_add_fn *add)
{
    char *colon = strrchr(line, ':');
    long count = colon ? strtol(colon + 1, NULL, 10) : 1;
    line[strcspn(line, ": \t")] = '\0';
    if (!host_name_is_valid(line)) {
        snprintf(probe->no_host, sizeof probe->no_host, "%s", line);
        return -1;
    }
    for (long i = 0; i < count && i < most; i++)
        if (add(probe, line))
            return -1;
    return (int32_t)(count < 0 ? 0 : count < most ? count : most);
}

/* Goes through the file once; why it cannot be read is said. 0, or -1: no memory, or no_host. */
static int simulated_read(struct probe *probe, const char *path, int32_t ranks, FILE *said,
                          probe_add_fn *add)
{
    struct lines lines;
    struct reseat_error error;
    int32_t added = 0;
    if (lines_open(&lines, path, &error))
        return fprintf(said, "%s\n", error.text) < 0 ? -1 : 0;
    lines.open_end = 1;
    while (added >= 0 && probe->ranks < ranks && lines_next(&lines) > 0)
        if (lines.line[0])
            added = simulated_take_line(probe, lines.line, ranks - probe->ranks, add);
    lines_close(&lines);
    return added < 0 ? -1 : 0;
}

int probe_simulated(struct probe *probe, const struct job *job, char **argv, FILE *said,
                    probe_add_fn *add)
{
    const char *number = simulated_value(job, argv, LAUNCHER_NUMBER);
    const char *path = simulated_value(job, argv, LAUNCHER_DROP_IF_HOSTS);
    int32_t ranks = number ? atoi(number) : RESEAT_MOST_RANKS, before = -1;
    if (!path)
        fputs("no -hostfile says where its ranks are\n", said);
    while (path && probe->ranks < ranks && probe->ranks != before) {
        before = probe->ranks;
        if (simulated_read(probe, path, ranks, said, add))
            return probe->no_host[0] ? 0 : -1;
        if (!number)
            break;
    }
    for (int32_t i = 0; i < probe->ranks; i++)
        probe->seat[i].rank = i;
    return 0;
}
