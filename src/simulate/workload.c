/* SPDX-License-Identifier: BSD-3-Clause */
/* workload.c - see workload.h. Each line makes one job, whose flows are in order from the start. */
#include "simulate/workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "exchange/exchange.h"
#include "text/lines.h"
#include "text/number.h"
#include "profile/profile-time.h"
#include "profile/world-profile.h"

enum { WORKLOAD_LINE = 8192, WORKLOAD_WORDS = 8 };

/* A line by words; `text` is changed to hold them. */
struct workload_words {
    char text[WORKLOAD_LINE];
    const char *word[WORKLOAD_WORDS];
    int count; /* one more than the limit: there are too many */
};

struct workload_reader {
    struct lines lines;
    struct reseat_workload *workload;
    size_t flows; /* of all jobs */
};

/* ---- making jobs ---- */

static struct reseat_job *workload_add_job(struct reseat_workload *workload, const char *name)
{
    const struct reseat_job job = {.name = strdup(name), .first = workload->ranks};
    if (job.name && array_add(&workload->jobs, &workload->count, &job, sizeof job) == 0)
        return &workload->jobs[workload->count - 1];
    free(job.name);
    return NULL;
}

void reseat_workload_destroy(struct reseat_workload *workload)
{
    if (!workload)
        return;
    for (size_t j = 0; j < workload->count; j++) {
        free(workload->jobs[j].name);
        free(workload->jobs[j].path);
        free(workload->jobs[j].flows);
    }
    free(workload->jobs);
    free(workload->taken);
    free(workload);
}

void reseat_job_set_seconds(struct reseat_job *job, double seconds)
{
    job->seconds = seconds;
    for (size_t f = 0; f < job->count; f++)
        job->flows[f].rate = (double)job->flows[f].messages / seconds;
}

/* 0, or -1 with *error that says what there is too much of. */
static int workload_check(const struct reseat_workload *workload, int64_t ranks, uint64_t flows,
                          struct reseat_error *error)
{
    if (workload->count >= WORKLOAD_MOST_JOBS)
        return reseat_fail(error, "more than %d jobs", WORKLOAD_MOST_JOBS);
    if (workload->ranks + ranks > WORKLOAD_MOST_RANKS)
        return reseat_fail(error, "more than %d ranks", WORKLOAD_MOST_RANKS);
    if (flows > WORKLOAD_MOST_FLOWS)
        return reseat_fail(error, "more than %d pairs of ranks that communicate",
                           WORKLOAD_MOST_FLOWS);
    return 0;
}

/* Of the entries of a profile those that are flows. 0, or -1 with *error. */
static int workload_take_entries(struct reseat_job *job, const struct reseat_entry *entries,
                                 size_t count, struct reseat_error *error)
{
    job->flows = malloc((count + 1) * sizeof *job->flows);
    if (!job->flows)
        return reseat_fail(error, "out of memory");
    for (size_t e = 0; e < count; e++) {
        uint64_t messages = entries[e].msgs ? entries[e].msgs : entries[e].bytes > 0;
        uint64_t length = reseat_entry_weight(&entries[e], RESEAT_METRIC_AVG);
        if (entries[e].source == entries[e].target || messages == 0)
            continue;
        if (messages > WORKLOAD_MOST_MESSAGES || length > WORKLOAD_MOST_MESSAGES)
            return reseat_fail(error, "ranks %d and %d: more messages or bytes than 2^40",
                               (int)entries[e].source, (int)entries[e].target);
        job->flows[job->count++] = (struct reseat_flow){.source = entries[e].source,
                                                        .target = entries[e].target,
                                                        .length = length,
                                                        .messages = messages};
    }
    return 0;
}

/* Add the traffic of a profile as a job; *flows counts those of all jobs. 0, or -1 with *error. */
static int workload_add_profile(struct reseat_workload *workload, size_t *flows,
                                const struct reseat_profile *profile, const char *name,
                                struct reseat_error *error)
{
    struct reseat_entry *entries = NULL;
    size_t count;
    if (reseat_profile_pairs(profile, 0, 1, &entries, &count, error))
        return -1;
    int rc = workload_check(workload, profile->ranks, *flows + count, error);
    struct reseat_job *job = rc ? NULL : workload_add_job(workload, name);
    if (rc == 0 && !job)
        rc = reseat_fail(error, "out of memory");
    if (rc == 0)
        rc = workload_take_entries(job, entries, count, error);
    if (rc == 0) {
        job->ranks = profile->ranks;
        workload->ranks += job->ranks;
        *flows += job->count;
        if (profile->microseconds)
            reseat_job_set_seconds(job, reseat_profile_seconds(profile));
    }
    free(entries);
    return rc;
}

int reseat_workload_of_profile(struct reseat_workload **workload,
                               const struct reseat_profile *profile, const char *name,
                               double seconds, struct reseat_error *error)
{
    size_t flows = 0;
    struct reseat_workload *found = calloc(1, sizeof *found);
    if (!found)
        return reseat_fail(error, "out of memory");
    if (workload_add_profile(found, &flows, profile, name, error)) {
        reseat_workload_destroy(found);
        return -1;
    }
    if (seconds > 0)
        reseat_job_set_seconds(&found->jobs[0], seconds);
    *workload = found;
    return 0;
}

uint64_t reseat_flow_bytes(const struct reseat_flow *flow)
{
    const double most = 1e18;
    double bytes = (double)flow->length * (double)flow->messages;
    return bytes < most ? flow->length * flow->messages : (uint64_t)most;
}

int reseat_workload_profile(struct reseat_profile **profile, const struct reseat_workload *workload,
                            struct reseat_error *error)
{
    struct reseat_profile *made = world_create(workload->ranks);
    struct reseat_entry twice;
    int rc = made ? 0 : -1;
    for (size_t j = 0; j < workload->count; j++) {
        const struct reseat_job *job = &workload->jobs[j];
        for (size_t f = 0; rc == 0 && f < job->count; f++) {
            const struct reseat_flow *flow = &job->flows[f];
            const struct reseat_entry entry = {.source = job->first + flow->source,
                                               .target = job->first + flow->target,
                                               .msgs = flow->messages,
                                               .bytes = reseat_flow_bytes(flow)};
            rc = world_add(made, RESEAT_P2P, &entry);
        }
    }
    if (rc || world_finish(made, &twice)) {
        reseat_profile_destroy(made);
        return reseat_fail(error, "out of memory");
    }
    *profile = made;
    return 0;
}

/* ---- patterns ---- */

/* Set source and target of pair `p`, in ascending order. */
static void workload_alltoall(struct reseat_flow *flow, int32_t ranks, int64_t p)
{
    flow->source = (int32_t)(p / (ranks - 1));
    flow->target = (int32_t)(p % (ranks - 1));
    flow->target += flow->target >= flow->source;
}

static void workload_bcast(struct reseat_flow *flow, int32_t ranks, int64_t p)
{
    (void)ranks;
    flow->source = 0;
    flow->target = (int32_t)p + 1;
}

static void workload_gather(struct reseat_flow *flow, int32_t ranks, int64_t p)
{
    (void)ranks;
    flow->source = (int32_t)p + 1;
    flow->target = 0;
}

static void workload_linear(struct reseat_flow *flow, int32_t ranks, int64_t p)
{
    (void)ranks;
    flow->source = (int32_t)p;
    flow->target = (int32_t)p + 1;
}

static const struct workload_pattern {
    const char *name;
    void (*set_pair)(struct reseat_flow *flow, int32_t ranks, int64_t p);
    int is_dense; /* pairs: ranks x (ranks - 1), instead of ranks - 1 */
} workload_patterns[] = {{"alltoall", workload_alltoall, 1},
                         {"bcast", workload_bcast, 0},
                         {"gather", workload_gather, 0},
                         {"linear", workload_linear, 0}};

static const struct workload_pattern *workload_find_pattern(const char *name)
{
    for (size_t p = 0; p < sizeof workload_patterns / sizeof workload_patterns[0]; p++)
        if (strcmp(name, workload_patterns[p].name) == 0)
            return &workload_patterns[p];
    return NULL;
}

static void workload_fill_pattern(struct reseat_job *job, const struct workload_pattern *pattern,
                                  const struct reseat_flow *like, int64_t pairs)
{
    for (int64_t p = 0; p < pairs; p++) {
        job->flows[p] = *like;
        pattern->set_pair(&job->flows[p], job->ranks, p);
    }
    job->count = (size_t)pairs;
    job->seconds = (double)like->messages / like->rate;
}

/* ---- numbers ---- */

/* "12", "0.5", "1e3" at *text: more than 0. 0, or -1. */
static int workload_read_real(const char *text, double *value)
{
    char *end;
    double number = strtod(text, &end);
    if (!*text || strspn(text, "0123456789.eE+-") != strlen(text) || *end || !isfinite(number) ||
        number <= 1e-12 || number > 1e12)
        return -1;
    *value = number;
    return 0;
}

/* "64KB". 0, or -1. */
static int workload_read_bytes(const char *text, uint64_t *bytes)
{
    static const char *const units[] = {"", "B", "KB", "MB", "GB"};
    static const int shifts[] = {0, 0, 10, 20, 30};
    uint64_t number;
    if (read_number(&text, WORKLOAD_MOST_MESSAGES, &number))
        return -1;
    for (size_t u = 0; u < sizeof units / sizeof units[0]; u++)
        if (strcmp(text, units[u]) == 0 && number <= WORKLOAD_MOST_MESSAGES >> shifts[u]) {
            *bytes = number << shifts[u];
            return 0;
        }
    return -1;
}

/* ---- lines ---- */

static int workload_fail(struct workload_reader *r, const char *what, const char *word)
{
    return lines_fail(&r->lines, "%s, not '%.40s'", what, word);
}

/* The same line as an error of a part that does not know it. */
static int workload_at_line(struct workload_reader *r, const struct reseat_error *why)
{
    return lines_fail(&r->lines, "%s", why->text);
}

static void workload_split(const char *line, struct workload_words *words)
{
    char *save = NULL;
    words->count = 0;
    strncpy(words->text, line, sizeof words->text - 1);
    words->text[sizeof words->text - 1] = '\0';
    words->text[strcspn(words->text, "#")] = '\0';
    for (char *word = strtok_r(words->text, " \t", &save); word && words->count < WORKLOAD_WORDS;
         word = strtok_r(NULL, " \t", &save))
        words->word[words->count++] = word;
}

/* Returns the text behind "key=" in a word; NULL: it is another one. */
static const char *workload_value(const char *word, const char *key)
{
    size_t length = strlen(key);
    return strncmp(word, key, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

/* A word of a pattern. 0, or -1 with the error. */
static int workload_read_key(struct workload_reader *r, const char *word, uint64_t *ranks,
                             struct reseat_flow *like)
{
    const char *value;
    if ((value = workload_value(word, "ranks")))
        return read_number(&value, WORKLOAD_MOST_RANKS, ranks) || *value || *ranks < 1
                   ? workload_fail(r, "ranks= takes a number from 1 to 1048576", word)
                   : 0;
    if ((value = workload_value(word, "length")))
        return workload_read_bytes(value, &like->length)
                   ? workload_fail(r, "length= takes bytes, like 64KB, up to 1024GB", word)
                   : 0;
    if ((value = workload_value(word, "rate")))
        return workload_read_real(value, &like->rate)
                   ? workload_fail(r, "rate= takes messages a second", word)
                   : 0;
    if ((value = workload_value(word, "messages")))
        return read_number(&value, WORKLOAD_MOST_MESSAGES, &like->messages) || *value ||
                       like->messages < 1
                   ? workload_fail(r, "messages= takes a number from 1 to 2^40", word)
                   : 0;
    return workload_fail(r, "ranks=, length=, rate= or messages= is expected", word);
}

/* pattern NAME ranks=N length=L rate=R messages=M */
static int workload_read_pattern(struct workload_reader *r, const struct workload_words *words)
{
    struct reseat_error why;
    struct reseat_flow like = {.length = UINT64_MAX};
    uint64_t ranks = 0;
    const char *name = words->count > 1 ? words->word[1] : "";
    const struct workload_pattern *pattern = workload_find_pattern(name);
    if (!pattern)
        return workload_fail(r, "pattern takes alltoall, bcast, gather or linear", name);
    for (int w = 2; w < words->count; w++)
        if (workload_read_key(r, words->word[w], &ranks, &like))
            return -1;
    if (words->count != 6 || !ranks || like.length == UINT64_MAX || like.rate <= 0 ||
        !like.messages)
        return lines_fail(&r->lines, "a pattern needs ranks=, length=, rate= and messages=, each "
                                     "once");
    uint64_t pairs = pattern->is_dense ? ranks * (ranks - 1) : ranks - 1;
    if (workload_check(r->workload, (int64_t)ranks, r->flows + pairs, &why))
        return workload_at_line(r, &why);
    struct reseat_job *job = workload_add_job(r->workload, name);
    if (job)
        job->flows = malloc(((size_t)pairs + 1) * sizeof *job->flows);
    if (!job || !job->flows)
        return lines_no_memory(&r->lines);
    job->ranks = (int32_t)ranks;
    workload_fill_pattern(job, pattern, &like, (int64_t)pairs);
    r->workload->ranks += job->ranks;
    r->flows += job->count;
    return 0;
}

/* A file that is named in another one: relative to the folder of that. Allocated; NULL: out of
 * memory. */
static char *workload_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash && *name != '/' ? (size_t)(slash - path) + 1 : 0;
    char *joined = malloc(folder + strlen(name) + 1);
    if (!joined)
        return NULL;
    memcpy(joined, path, folder);
    strcpy(joined + folder, name);
    return joined;
}

static int workload_load(struct workload_reader *r, const char *name)
{
    struct reseat_profile *profile = NULL;
    struct reseat_error why;
    char *path = workload_beside(r->lines.path, name);
    const char *paths[] = {path};
    if (!path)
        return lines_no_memory(&r->lines);
    int rc =
        reseat_exchange_read(&profile, RESEAT_FORMAT_TOLD, paths, 1, RESEAT_METRIC_SIZE, 0, &why);
    if (rc == 0)
        rc = workload_add_profile(r->workload, &r->flows, profile, name, &why);
    reseat_profile_destroy(profile);
    if (rc) {
        free(path);
        return workload_at_line(r, &why);
    }
    r->workload->jobs[r->workload->count - 1].path = path;
    return 0;
}

/* profile FILE [seconds=S] */
static int workload_read_profile(struct workload_reader *r, const struct workload_words *words)
{
    double seconds = 0;
    if (words->count < 2 || words->count > 3)
        return lines_fail(&r->lines, "profile takes a file, and may have seconds=");
    if (words->count == 3) {
        const char *value = workload_value(words->word[2], "seconds");
        if (!value || workload_read_real(value, &seconds))
            return workload_fail(r, "seconds= and how long the program ran are expected",
                                 words->word[2]);
    }
    if (workload_load(r, words->word[1]))
        return -1;
    if (seconds > 0)
        reseat_job_set_seconds(&r->workload->jobs[r->workload->count - 1], seconds);
    return 0;
}

/* taken NODE CORES */
static int workload_read_taken(struct workload_reader *r, const struct workload_words *words)
{
    struct reseat_workload *w = r->workload;
    const char *node = words->count == 3 ? words->word[1] : "";
    const char *cores = words->count == 3 ? words->word[2] : "";
    struct reseat_taken taken;
    if (read_number32(&node, &taken.node) || *node || read_number32(&cores, &taken.cores) || *cores)
        return lines_fail(&r->lines, "taken takes the number of a node, and how many of its cores");
    if (w->taken_nodes && taken.node <= w->taken[w->taken_nodes - 1].node)
        return lines_fail(&r->lines, "nodes with taken cores have to ascend");
    return array_add(&w->taken, &w->taken_nodes, &taken, sizeof taken) ? lines_no_memory(&r->lines)
                                                                       : 0;
}

static int workload_read_line(struct workload_reader *r)
{
    struct workload_words words;
    workload_split(r->lines.line, &words);
    if (words.count == 0)
        return 0;
    if (strcmp(words.word[0], "pattern") == 0)
        return workload_read_pattern(r, &words);
    if (strcmp(words.word[0], "profile") == 0)
        return workload_read_profile(r, &words);
    if (strcmp(words.word[0], "taken") == 0)
        return workload_read_taken(r, &words);
    return workload_fail(r, "a line of a workload begins with profile, pattern or taken",
                         words.word[0]);
}

int reseat_workload_read(struct reseat_workload **workload, const char *path,
                         struct reseat_error *error)
{
    struct workload_reader r = {.workload = calloc(1, sizeof *r.workload)};
    int more = 0, rc = r.workload ? lines_open(&r.lines, path, error)
                                  : reseat_fail(error, "%s: out of memory", path);
    r.lines.open_end = 1;
    r.lines.most = WORKLOAD_LINE - 1;
    while (rc == 0 && (more = lines_next(&r.lines)) > 0)
        rc = workload_read_line(&r);
    if (rc == 0 && more < 0)
        rc = -1;
    if (rc == 0 && r.workload->count == 0)
        rc = reseat_fail(error, "%s: no job in it", path);
    lines_close(&r.lines);
    if (rc) {
        reseat_workload_destroy(r.workload);
        return -1;
    }
    *workload = r.workload;
    return 0;
}
