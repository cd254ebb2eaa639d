/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place-check.c - start the user's launcher with the probe, for a placement at launch (place.h):
 * once to learn the seats, and once with the changed command line before the program is started
 * with it, so that a launcher that refuses it, or puts a rank elsewhere, costs a second and not the
 * job.
 */
#include <errno.h>
#include <string.h>

#include "cmd/place/place.h"
#include "text/printable.h"
#include "cmd/shell/complain.h"

enum {
    SAID_LINE = 200,
    SAID_LINES = 8, /* are shown at most */
    TRY_SECONDS = 10,
    TRY_TIMES = 10
};

/* The next line of the launcher's output, skipping rules, blank lines and those of the probe. */
static int try_next_line(FILE *said, char line[SAID_LINE])
{
    while (fgets(line, SAID_LINE, said)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[strspn(line, " \t-=")] && !strstr(line, "reseat-probe "))
            return 1;
    }
    line[0] = '\0';
    return 0;
}

static void try_show_last_lines(FILE *said)
{
    char line[SAID_LINE];
    int lines = 0;
    rewind(said);
    while (try_next_line(said, line))
        lines++;
    rewind(said);
    for (int i = 0; lines > 1 && i < lines && try_next_line(said, line); i++)
        if (i >= lines - SAID_LINES) {
            fputs("    ", stderr);
            printable_print(stderr, line);
            fputc('\n', stderr);
        }
}

void place_refusal_print(const struct place_refusal *why, const char *instead)
{
    cli_fail(0, "%s; %s", why->error.text, instead);
    if (why->said)
        try_show_last_lines(why->said);
}

/* Check that every rank has answered once. 0, or -1 with *why, to which `said` belongs then if it
 * has what the launcher says. */
static int try_check_answer(struct probe *probe, FILE *said, struct place_refusal *why)
{
    char first[SAID_LINE] = "";
    struct reseat_error *error = &why->error;
    if (probe->no_host[0])
        return reseat_fail(error, "a rank is on '%s', which is not a host name", probe->no_host);
    if (probe->ranks && !probe->is_late)
        return probe_sort(probe)
                   ? reseat_fail(error, "the launcher does not tell the ranks their numbers")
                   : 0;
    try_next_line(said, first);
    why->said = said;
    if (probe->is_late)
        return reseat_fail(error, "the launcher has not ended after %d s%s%s", probe->limit,
                           first[0] ? ": " : "", first);
    return reseat_fail(error, "the launcher starts no rank (exit status %d)%s%s", probe->status,
                       first[0] ? ": " : "", first);
}

int placement_probe(struct probe *probe, const struct job *job, char **command,
                    struct place_refusal *why)
{
    FILE *said = NULL;
    int rc = probe_job(probe, job, command, &said);
    if (rc)
        rc = reseat_fail(&why->error, "the probe cannot be started: %s", strerror(errno));
    else
        rc = try_check_answer(probe, said, why);
    if (said && said != why->said)
        fclose(said);
    return rc;
}

/* ---- the placed job ---- */

/* Check that a rank is now where the file says. 0, or -1 with *error. */
static int try_check_seat(const struct place_order *order, const struct probe *probe, int32_t rank,
                          struct reseat_error *error)
{
    const struct probe_seat *seat = &probe->seat[rank];
    const struct emit_seat *wanted = &order->seats[rank];
    const char *host = probe->host[seat->host].name;
    if (strcmp(host, wanted->host) != 0)
        return reseat_fail(error,
                           "the launcher does not obey the file: rank %d is on %s, not on %s",
                           (int)rank, host, wanted->host);
    if (order->binding == BINDING_OURS && strcmp(seat->cpus, wanted->cpus) != 0)
        return reseat_fail(
            error, "the launcher does not obey the file: rank %d is bound to PU %s, not to %s",
            (int)rank, seat->cpus, wanted->cpus);
    return 0;
}

/* The first probe, which took so many seconds, has shown how long the launcher takes here; one that
 * hangs with the file must not cost much more. */
static int try_limit(double probed, int most)
{
    double seconds = TRY_SECONDS + TRY_TIMES * probed;
    return seconds < most ? (int)seconds : most;
}

/* The launcher may know hosts by other names, or interpret the file in another way. */
int placement_try(const struct placement *p, struct place_refusal *why)
{
    const struct place_input *input = &p->input;
    char **words = p->placed.words;
    struct probe probe = {.limit = try_limit(p->probe.seconds, input->settings->probe_seconds)};
    struct job placed = input->job;
    for (placed.program = 0; words[placed.program] != input->command[input->job.program];)
        placed.program++;
    placed.wrapper = placed.program - (input->job.program - input->job.wrapper);
    int rc = placement_probe(&probe, &placed, words, why);
    if (rc == 0 && probe.ranks != p->probe.ranks)
        rc = reseat_fail(&why->error, "the launcher starts %d ranks by the file, not %d",
                         (int)probe.ranks, (int)p->probe.ranks);
    for (int32_t rank = 0; rc == 0 && rank < probe.ranks; rank++)
        rc = try_check_seat(&p->order, &probe, rank, &why->error);
    probe_free(&probe);
    return rc;
}
