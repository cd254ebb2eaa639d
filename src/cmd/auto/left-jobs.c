/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * left-jobs.c - see left-jobs.h. To take a profile is to rename it, which one of several processes
 * can, on a file system of a network as well; to a name of temporary.h, so that it goes away if
 * that process is killed.
 */
#include "cmd/auto/left-jobs.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hash.h"
#include "cmd/auto/lesson.h"
#include "cmd/auto/shown.h"
#include "cmd/auto/store-jobs.h"
#include "text/lines.h"
#include "text/temporary.h"

static const char left_begin[] = "left-", left_end[] = ".profile";
enum { LEFT_RUNNING = -1, LEFT_OTHER = -2, LEFT_LONGEST = 86400 /* seconds */ };

int left_jobs_name(char path[PATH_MAX], const struct stored_program *program)
{
    char host[256] = "", when[32] = "", name[96];
    struct timespec now;
    struct tm parts;
    const pid_t process = getpid();
    clock_gettime(CLOCK_REALTIME, &now);
    gethostname(host, sizeof host - 1);
    uint64_t hash = reseat_hash_add(reseat_hash_empty, host, sizeof host);
    hash = reseat_hash_add(hash, &process, sizeof process);
    hash = reseat_hash_add(hash, &now.tv_nsec, sizeof now.tv_nsec);
    if (gmtime_r(&now.tv_sec, &parts))
        strftime(when, sizeof when, "%Y%m%dT%H%M%S", &parts);
    snprintf(name, sizeof name, "%s%s-%016" PRIx64 "%s", left_begin, when, hash, left_end);
    return store_path(path, program->folder, name);
}

/* By the name of a file: the status that the job has ended with, LEFT_RUNNING, or LEFT_OTHER: it is
 * none of these. */
static int left_status(const char *name)
{
    const char *end = strstr(name, left_end), *status = end ? end + strlen(left_end) : "";
    if (strncmp(name, left_begin, strlen(left_begin)) != 0 || !end)
        return LEFT_OTHER;
    if (!*status)
        return LEFT_RUNNING;
    return status[0] == '.' && strspn(status + 1, "0123456789") == strlen(status + 1)
               ? atoi(status + 1)
               : LEFT_OTHER;
}

static int left_is_one(const struct dirent *entry)
{
    return left_status(entry->d_name) != LEFT_OTHER;
}

/* ---- one of them ---- */

/* Fill in what was decided when the job began, and how it has ended. 0, or -1: it is no profile of
 * such a job. */
static int left_read_decision(struct lesson *lesson, const struct reseat_profile *profile,
                              int status)
{
    const char *job = reseat_profile_header(profile, "job");
    struct past_job *line = &lesson->line;
    if (!job || !history_read_line(line, job))
        return -1;
    lesson->next = (struct next_job){.nodes = line->nodes,
                                     .machine = line->machine,
                                     .pattern = line->pattern,
                                     .order = line->order,
                                     .predicted = line->predicted};
    lesson->run = line->order ? HISTORY_BETTER : HISTORY_LAUNCH;
    line->status = status;
    line->seconds = (double)profile->microseconds / 1e6;
    lesson_take_order(lesson, line->order && reseat_profile_header(profile, "reordered"));
    return 0;
}

/* Of two jobs that ran at once one has recorded the pattern; the other's is the same, unless it has
 * drifted from that. */
static void left_follow_pattern(struct lesson *lesson, const struct reseat_profile *profile)
{
    struct past_job *line = &lesson->line;
    const uint64_t was = lesson->next.pattern;
    const uint64_t now = lesson->known ? shown_pattern(lesson->known) : was;
    if (now == was || (was && (shown_pattern(profile) == was ||
                               shown_drifts(lesson->known, profile, lesson->by_amount))))
        return;
    line->pattern = lesson->next.pattern = now;
    if (line->order) /* it was made for the pattern before */
        line->order = reseat_hash_add(line->order, &was, sizeof was);
}

/* Count the job whose profile is in `taken`. Returns 1 if that is done. */
static int left_learn(struct stored_program *program, const char *store, const char *taken,
                      int status)
{
    struct lesson lesson = {.by_amount = program->arguments != NULL, .between = {NAN, NAN}};
    struct reseat_profile *profile = NULL;
    struct reseat_error ignored;
    int done = 1; /* also with what is no profile */
    store_profile(program, lesson.profile);
    if (lines_check_file(taken, &ignored) == 0 &&
        reseat_profile_read(&profile, taken, &ignored) == 0 &&
        left_read_decision(&lesson, profile, status) == 0) {
        lesson_open(&lesson);
        left_follow_pattern(&lesson, profile);
        if (status == 0)
            lesson_learn(&lesson, profile, taken);
        done = store_add_job(program, &lesson.line, &ignored) == 0;
        if (!done && lesson.is_recorded && rename(lesson.profile, taken) == 0)
            lesson.is_recorded = 0; /* it is left for the next time */
        lesson_close(&lesson);
    }
    if (lesson.is_recorded)
        store_limit(store, program->folder);
    reseat_profile_destroy(profile);
    return done;
}

/* Returns 1 if a job without a status will not end any more, by any likelihood. */
static int left_is_old(const char *path)
{
    struct stat file;
    return stat(path, &file) == 0 && time(NULL) - file.st_mtime > LEFT_LONGEST;
}

/* Take a profile, if nobody else has, and learn from it. */
static void left_take_in(struct stored_program *program, const char *store, const char *name)
{
    char path[PATH_MAX], stem[PATH_MAX], *taken = NULL;
    const int status = left_status(name);
    if (store_path(path, program->folder, name) || store_path(stem, program->folder, "job") ||
        (status == LEFT_RUNNING && !left_is_old(path)))
        return;
    int fd = temporary_create(&taken, stem, left_end, 0600);
    if (fd < 0)
        return;
    close(fd);
    if (rename(path, taken) == 0 && !left_learn(program, store, taken, status))
        rename(taken, path);
    unlink(taken);
    free(taken);
}

void left_jobs_take_in(struct stored_program *program, const char *store)
{
    struct reseat_error ignored;
    struct dirent **list = NULL;
    int count = scandir(program->folder, &list, left_is_one, alphasort); /* the oldest first */
    for (int i = 0; i < count; i++) {
        left_take_in(program, store, list[i]->d_name);
        free(list[i]);
    }
    free(list);
    if (count > 0)
        store_read_jobs(program, &ignored);
}
