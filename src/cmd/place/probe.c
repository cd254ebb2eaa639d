/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - see probe.h. Each rank prints one line, short enough that launchers do not break it. */
#include "cmd/place/probe.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ascending.h"
#include "base/array.h"
#include "base/clock.h"
#include "cmd/job/child.h"
#include "cmd/job/delivery.h"
#include "cmd/job/job-start.h"
#include "cmd/place/rewrite.h"
#include "profile/profile.h"
#include "launcher/rank-variables.h"

enum { MOST_WORDS = 4096, PROBE_OWN_WORDS = 7 };

/*
 * reseat-probe RANK HOST PUS PROCESSORS LIBRARY-IS-THERE ADDRESS PATTERN PRELOAD SEAT, where
 * ADDRESS and PATTERN are Slurm's for the switches above the host, or `-`, and SEAT is the line of
 * `reseat seat`, or nothing if there is no reseat. $1 is the library, $2 this command, or empty if
 * its line is not wanted. HOST is Slurm's own name for the host, if there is one. A PRELOAD that is
 * separated by blanks, which the dynamic linker takes as well, gets colons: it is one word here.
 */
#define SCRIPT                                                             \
    "cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status); " \
    "all=$(getconf _NPROCESSORS_ONLN); "                                   \
    "echo reseat-probe "                                                   \
    "\"" RANK_VARIABLES_IN_SHELL "\" "                                     \
    "\"${SLURMD_NODENAME:-$(uname -n)}\" \"$cpus\" \"$all\" "              \
    "\"$(test -r \"$1\" && echo yes || echo no)\" "                        \
    "\"${SLURM_TOPOLOGY_ADDR:--}\" \"${SLURM_TOPOLOGY_ADDR_PATTERN:--}\" " \
    "\"$(set -f; set -- $LD_PRELOAD; IFS=:; echo \"${*:-none}\")\" "       \
    "\"$(test \"$2\" && LD_PRELOAD= \"$2\" seat \"$cpus\" \"$all\" 2>/dev/null)\""

static const char script[] = SCRIPT;

/* For launchers that forward their environment: each rank would have the name of the launcher's own
 * host. */
static const char script_without_name[] = "unset SLURMD_NODENAME; " SCRIPT;

int probe_count_list(const char *text)
{
    int count = 0, first, last, length;
    while (sscanf(text, "%6d%n", &first, &length) == 1) {
        text += length;
        last = first;
        if (*text == '-' && sscanf(text + 1, "%6d%n", &last, &length) == 1)
            text += 1 + length;
        count += last - first + 1;
        text += *text == ',';
    }
    return count;
}

/* Make room for one more rank and host. 0, or -1 if out of memory. */
static int probe_make_room(struct probe *p)
{
    struct probe_host *hosts = array_grow(p->host, (size_t)p->ranks, sizeof *hosts);
    if (!hosts)
        return -1;
    p->host = hosts;
    struct probe_seat *seats = array_grow(p->seat, (size_t)p->ranks, sizeof *seats);
    if (!seats)
        return -1;
    p->seat = seats;
    return 0;
}

static int32_t probe_find_host(struct probe *p, const char *name)
{
    int32_t host = p->ranks ? p->seat[p->ranks - 1].host : 0;
    if (host < p->hosts && strcmp(p->host[host].name, name) == 0)
        return host;
    for (host = 0; host < p->hosts && strcmp(p->host[host].name, name) != 0; host++)
        ;
    if (host == p->hosts) {
        p->host[host] = (struct probe_host){0};
        snprintf(p->host[host].name, sizeof p->host[host].name, "%s", name);
        p->hosts++;
    }
    return host;
}

/* Keep Slurm's address of a host, if there is one. 0, or -1 if out of memory. */
static int probe_take_address(struct probe_host *host, const char *address, const char *pattern)
{
    if (host->address || strcmp(address, "-") == 0)
        return 0;
    host->address = strdup(address);
    host->pattern = strdup(pattern);
    return host->address && host->pattern ? 0 : -1;
}

/* Returns 1 if this is like "0-3,8" or "-". */
static int probe_is_list(const char *text)
{
    return text[strspn(text, "0123456789,-")] == '\0';
}

/* Read the line of `reseat seat`, if there is one. 0, or -1 if out of memory. */
static int probe_take_seat(struct probe_seat *seat, const char *text)
{
    char cores[512], pus[512], whole[8];
    int32_t *at = seat->location.place.at;
    int count = sscanf(text, "%d %d %d %d %d %d %511s %511s %7s %d", &at[0], &at[1], &at[2], &at[3],
                       &at[4], &at[5], cores, pus, whole, &seat->location.accelerators);
    seat->is_known = count >= 9 && probe_is_list(cores) && probe_is_list(pus);
    if (!seat->is_known) {
        reseat_place_clear(&seat->location.place);
        return 0;
    }
    seat->whole = strcmp(whole, "whole") == 0;
    seat->cores = strdup(cores);
    seat->pus = strdup(pus);
    return seat->cores && seat->pus ? 0 : -1;
}

static int probe_add_rank(struct probe *p, const char *host)
{
    if (probe_make_room(p))
        return -1;
    struct probe_seat *seat = &p->seat[p->ranks];
    *seat = (struct probe_seat){.rank = p->ranks, .host = probe_find_host(p, host)};
    seat->location.node = seat->host;
    reseat_place_clear(&seat->location.place);
    p->ranks++;
    p->unbound++;
    p->host[seat->host].ranks++;
    seat->cpus = strdup("-");
    return seat->cpus ? 0 : -1;
}

/* Read one line of the output. 0, or -1 if out of memory. */
static int probe_take_line(struct probe *p, const char *line, const struct job *job)
{
    char host[RESEAT_HOST_SIZE], list[1024], readable[8], address[NETWORK_ADDRESS_SIZE],
        pattern[NETWORK_PATTERN_SIZE], preload[4096];
    _Static_assert(sizeof host == 256 && sizeof address == 512 && sizeof pattern == 128,
                   "the sizes below");
    int online, end, rank;
    line = strstr(line, "reseat-probe "); /* launchers may label lines */
    if (!line || p->ranks == RESEAT_MOST_RANKS ||
        sscanf(line, "reseat-probe %d %255s %1023s %d %7s %511s %127s %4095s%n", &rank, host, list,
               &online, readable, address, pattern, preload, &end) != 8)
        return 0;
    if (!host_name_is_valid(host)) {
        memcpy(p->no_host, host, sizeof p->no_host);
        return 0;
    }
    if (probe_make_room(p))
        return -1;
    struct probe_seat *seat = &p->seat[p->ranks];
    memset(seat, 0, sizeof *seat);
    seat->rank = rank;
    seat->host = probe_find_host(p, host);
    seat->location.node = seat->host;
    seat->is_bound = probe_count_list(list) < online;
    p->ranks++;
    int has_it = strstr(preload, job->library) != NULL;
    p->reached += has_it;
    if (!has_it && strcmp(preload, "none") != 0)
        snprintf(p->preload, sizeof p->preload, "%.255s", preload);
    p->readable += strcmp(readable, "yes") == 0;
    p->unbound += !seat->is_bound;
    p->is_crowded |= ++p->host[seat->host].ranks > online;
    seat->cpus = strdup(list);
    if (!seat->cpus || probe_take_address(&p->host[seat->host], address, pattern))
        return -1;
    return probe_take_seat(seat, line + end + strcspn(line + end, " "));
}

/* Words before the launcher that unset variables which would redirect the output of ranks to files,
 * as options do that are removed. Returns their number. */
static int probe_forget_files(const struct launcher *launcher, char **words)
{
    const struct launcher_rule *rule = launcher->variables;
    int n = 0;
    for (; rule && rule->name; rule++) {
        if (rule->action != LAUNCHER_DROP_IN_PROBE || !getenv(rule->name))
            continue;
        if (n == 0)
            words[n++] = (char *)"env";
        words[n++] = (char *)"-u";
        words[n++] = (char *)rule->name;
    }
    return n;
}

int probe_words(const struct job *job, char **argv, char **words, int most)
{
    int n = probe_forget_files(job->launcher, words);
    return n + rewrite_for_probe(job, argv, words + n, most - n);
}

/* Add the launcher's words of one part, `part`, and what it starts instead of its program. Returns
 * the number of words, with NULL behind them; -1 with errno: they do not fit. */
static int probe_add_part(const struct job *job, char **part, char **words, int n,
                          char *const *ours)
{
    char *launchers[MOST_WORDS];
    struct job alone;
    struct reseat_error error;
    if (find_job(&alone, job->mpi, part, &error) || alone.program < 0) {
        alone = *job;
        alone.wrapper = alone.program = delivery_program(job->launcher, part, job->options_at);
    }
    int count = rewrite_for_probe(&alone, part, launchers, MOST_WORDS) - job->options_at;
    if (n + 1 + count + PROBE_OWN_WORDS > MOST_WORDS) {
        errno = E2BIG;
        return -1;
    }
    words[n++] = (char *)job->launcher->context;
    memcpy(words + n, launchers + job->options_at, (size_t)count * sizeof *words);
    n += count;
    for (; *ours; ours++)
        words[n++] = *ours;
    words[n] = NULL;
    return n;
}

/* The ranks of all parts are started, and asked. 0, or -1 with errno. */
static int probe_add_parts(const struct job *job, char **argv, char **words, int n,
                           char *const *ours)
{
    int count = 0, at = job->options_at;
    while (argv[count])
        count++;
    char **part = malloc(((size_t)count + 1) * sizeof *part);
    if (!part)
        return -1;
    at = job_take_part(job, argv, at, part);
    while (at && n >= 0) {
        at = job_take_part(job, argv, at, part);
        n = probe_add_part(job, part, words, n, ours);
    }
    free(part);
    return n < 0 ? -1 : 0;
}

int probe_job(struct probe *probe, const struct job *job, char **argv, FILE **said)
{
    char *words[MOST_WORDS], self[PATH_MAX] = "", line[16384];
    int rc = 0;
    *said = open_answer();
    if (*said && job->launcher->simulated_hosts) {
        rc = probe_simulated(probe, job, argv, *said, probe_add_rank);
        rewind(*said);
        return rc;
    }
    if (!*said || readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        return -1;
    int n = probe_words(job, argv, words, MOST_WORDS - PROBE_OWN_WORDS);
    if (!probe->asks_places)
        self[0] = '\0';
    const char *what_to_run = job->launcher->forwards_environment ? script_without_name : script;
    char *const ours[PROBE_OWN_WORDS] = {(char *)"sh", (char *)"-c",         (char *)what_to_run,
                                         (char *)"sh", (char *)job->library, self,
                                         NULL};
    memcpy(words + n, ours, sizeof ours);
    if (job_parts(job, argv) > 1 &&
        probe_add_parts(job, argv, words, n + PROBE_OWN_WORDS - 1, ours))
        return -1;
    struct answer answer = {*said, probe->limit, 0};
    double start = clock_now();
    probe->status = job_start_and_ask(job, probe->variables, words, &answer);
    if (probe->status == -1)
        return -1;
    probe->seconds = clock_now() - start;
    probe->is_late = answer.is_late;
    rewind(*said);
    while (rc == 0 && fgets(line, sizeof line, *said))
        rc = probe_take_line(probe, line, job);
    rewind(*said);
    return rc;
}

void probe_free(struct probe *probe)
{
    for (int32_t i = 0; i < probe->ranks; i++) {
        free(probe->seat[i].cpus);
        free(probe->seat[i].cores);
        free(probe->seat[i].pus);
    }
    for (int32_t h = 0; h < probe->hosts; h++) {
        free(probe->host[h].address);
        free(probe->host[h].pattern);
    }
    reseat_network_free(&probe->network);
    free(probe->host);
    free(probe->seat);
    memset(probe, 0, sizeof *probe);
}

int probe_sort(struct probe *probe)
{
    qsort(probe->seat, (size_t)probe->ranks, sizeof *probe->seat, ascending_int32);
    for (int32_t i = 0; i < probe->ranks; i++)
        if (probe->seat[i].rank != i)
            return -1;
    return probe->ranks ? 0 : -1;
}
