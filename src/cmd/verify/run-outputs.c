/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * run-outputs.c - see run-outputs.h. In a run with another order the library reports the outcome:
 * RESEAT_OUTCOME has a token, and rank 0 writes a line `reseat: outcome TOKEN kept` or `reordered`
 * to standard error, which the launcher forwards from wherever rank 0 runs. Before that, where
 * there are timings, `reseat: outcome TOKEN predicted' with nanoseconds and bytes between nodes in
 * both orders.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/verify/run-outputs.h"
#include "base/ascending.h"
#include "text/number.h"
#include "text/printable.h"
#include "profile/profile.h"

/* ---- host names, which move between ranks with another order ---- */

/* Collect the names without their domains, sorted, each once; as many as memory allows. */
static void run_outputs_find_hosts(struct output_hosts *hosts, const char *self,
                                   const struct reseat_profile *profile)
{
    int32_t seats = profile && profile->seats ? profile->seats_count : 0;
    size_t count = 0;
    char **name = malloc(((size_t)seats + 1) * sizeof *name);
    for (int32_t r = -1; name && r < seats; r++) {
        const char *host = r < 0 ? self : profile->seats[r].host;
        size_t length = strcspn(host, ".");
        int is_last =
            count && strncmp(name[count - 1], host, length) == 0 && !name[count - 1][length];
        if (!is_last && (name[count] = strndup(host, length)))
            count++;
    }
    if (count)
        qsort(name, count, sizeof *name, ascending_text);
    for (size_t i = 0; i < count; i++)
        if (hosts->count && strcmp(name[hosts->count - 1], name[i]) == 0)
            free(name[i]);
        else
            name[hosts->count++] = name[i];
    hosts->name = name;
}

void run_outputs_open(struct run_outputs *outputs, const char *path)
{
    char self[RESEAT_HOST_SIZE] = "";
    struct reseat_profile *profile = NULL;
    struct reseat_error error;
    *outputs = (struct run_outputs){.kept = 0};
    snprintf(outputs->token, sizeof outputs->token, "%s%ld", "verify", (long)getpid());
    gethostname(self, sizeof self - 1);
    if (path && reseat_profile_read(&profile, path, &error))
        profile = NULL;
    run_outputs_find_hosts(&outputs->hosts, self, profile);
    reseat_profile_destroy(profile);
}

void run_outputs_close(struct run_outputs *outputs)
{
    for (int stream = 0; stream < 2; stream++)
        for (int with = 0; with < 2; with++)
            for (int i = 0; i < outputs->count[with]; i++)
                output_destroy(&outputs->run[stream][with][i]);
    for (size_t i = 0; i < outputs->hosts.count; i++)
        free(outputs->hosts.name[i]);
    free(outputs->hosts.name);
    *outputs = (struct run_outputs){.kept = 0};
}

int run_outputs_add(struct run_outputs *outputs, int with, const struct collector collectors[2])
{
    int i = outputs->count[with];
    if (i == OUTPUT_RUNS)
        return 0;
    if (output_read(&outputs->run[0][with][i], collectors[0].kept, OUTPUT_STDOUT, &outputs->hosts))
        return -1;
    if (output_read(&outputs->run[1][with][i], collectors[1].kept, OUTPUT_STDERR,
                    &outputs->hosts)) {
        output_destroy(&outputs->run[0][with][i]);
        return -1;
    }
    outputs->count[with]++;
    return 0;
}

/* The figures after `predicted', which nobody but the library should have written. */
static void run_outputs_prediction(struct predicted *predicted, const char *text)
{
    double figures[4];
    for (int i = 0; i < 4; i++) {
        uint64_t number;
        if (*text++ != ' ' || read_number(&text, UINT64_MAX, &number))
            return;
        figures[i] = (double)number;
    }
    for (int i = 0; i < 2; i++) {
        predicted->seconds[i] += 1e-9 * figures[i];
        predicted->between_nodes[i] += figures[2 + i];
    }
}

void run_outputs_outcome(struct run_outputs *outputs, FILE *errors)
{
    static const char predicts[] = " predicted", lacks[] = "how long the messages take is not";
    char *line = NULL, last[sizeof outputs->reason] = "";
    size_t room = 0;
    rewind(errors);
    while (getline(&line, &room, errors) >= 0) {
        const char *ours = strstr(line, "reseat: ");
        const char *told = strstr(line, outputs->token);
        line[strcspn(line, "\n")] = '\0';
        const char *figures = told ? strstr(told, predicts) : NULL;
        if (figures) {
            run_outputs_prediction(&outputs->predicted, figures + strlen(predicts));
            continue;
        }
        outputs->told |= told != NULL;
        if (told && strstr(told, " kept")) {
            outputs->kept = 1;
            snprintf(outputs->reason, sizeof outputs->reason, "%s", last);
        } else if (ours) {
            printable_copy(last, sizeof last, ours + strlen("reseat: "));
            if (strncmp(last, lacks, strlen(lacks)) == 0)
                printable_copy(outputs->predicted.unknown, sizeof outputs->predicted.unknown,
                               ours + strlen("reseat: "));
        }
    }
    free(line);
}

/* ---- the sentence ---- */

static void tell_same(const struct output_finding *found, int runs, char text[512])
{
    if (found->lines == 0)
        snprintf(text, 512, "The job prints nothing: its results were not compared");
    else if (found->compared == 0)
        snprintf(text, 512, "The job prints nothing twice: its results were not compared");
    else if (found->is_sorted_otherwise)
        snprintf(text, 512,
                 "The job prints the same, in %d of %d runs with its lines in another order",
                 found->is_sorted_otherwise, runs);
    else if (found->compared < found->lines)
        snprintf(text, 512,
                 "The job prints the same (%d of %d lines: without it others come and go)",
                 found->compared, found->lines);
    else
        snprintf(text, 512, "The job prints the same (%d line%s, apart from times)",
                 found->compared, found->compared == 1 ? "" : "s");
}

static void tell_lines(const struct output_finding *found, char *text, size_t size)
{
    if (!found->plain[0])
        snprintf(text, size, "\"%s\" is new", found->ordered);
    else if (!found->ordered[0])
        snprintf(text, size, "\"%s\" is missing", found->plain);
    else
        snprintf(text, size, "\"%s\" became \"%s\"", found->plain, found->ordered);
}

/* The stream in which more runs differ. 0, or -1: nothing was compared. */
static int run_outputs_compare(const struct run_outputs *outputs, struct run_outputs_judgement *j)
{
    struct output_finding found[2];
    j->runs = outputs->count[1];
    for (int stream = 0; stream < 2; stream++)
        if (!outputs->count[0] || !j->runs ||
            output_compare(outputs->run[stream][0], outputs->count[0], outputs->run[stream][1],
                           j->runs, &found[stream]))
            return -1;
    j->stream = found[1].differing > found[0].differing;
    j->found = found[j->stream];
    return 0;
}

void run_outputs_judge(const struct run_outputs *outputs, struct run_outputs_judgement *j)
{
    static const char *const streams[] = {"output", "error"};
    char lines[2 * OUTPUT_LINE + 32];
    *j = (struct run_outputs_judgement){.kind = RUN_OUTPUTS_NOT_COMPARED};
    if (run_outputs_compare(outputs, j)) {
        snprintf(j->text, sizeof j->text, "What the job prints was not compared");
        return;
    }
    if (!j->found.differing) {
        tell_same(&j->found, j->runs, j->text);
        j->kind = j->found.compared ? RUN_OUTPUTS_SAME : RUN_OUTPUTS_NOT_COMPARED;
        return;
    }
    tell_lines(&j->found, lines, sizeof lines);
    j->kind = 2 * j->found.differing > j->runs ? RUN_OUTPUTS_CHANGES : RUN_OUTPUTS_SOME_DIFFER;
    if (j->kind == RUN_OUTPUTS_CHANGES)
        snprintf(j->text, sizeof j->text,
                 "Another order changes what this job prints (standard %s): %s", streams[j->stream],
                 lines);
    else
        snprintf(j->text, sizeof j->text,
                 "In %d of %d runs with another order standard %s was another: %s",
                 j->found.differing, j->runs, streams[j->stream], lines);
}
