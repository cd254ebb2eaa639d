/* SPDX-License-Identifier: BSD-3-Clause */
/* target.c - see target.h. */
#include "text/target.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TARGET_MOST_LINKS = 40, TARGET_MOST_NAMES = 1000000, TARGET_JOB_SIZE = 128 };

/* ---- links ---- */

/* The target of the link `path`, relative to its folder. NULL with errno: not a link, or out of
 * memory. */
static char *target_follow_once(const char *path)
{
    char text[PATH_MAX];
    ssize_t length = readlink(path, text, sizeof text - 1);
    if (length < 0)
        return NULL;
    text[length] = '\0';
    const char *slash = strrchr(path, '/');
    int folder = text[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
    char *next = malloc((size_t)folder + (size_t)length + 1);
    if (next)
        sprintf(next, "%.*s%s", folder, path, text);
    return next;
}

char *target_follow(const char *path)
{
    char *now = strdup(path), *next = NULL;
    for (int links = 0; now && links < TARGET_MOST_LINKS; links++) {
        errno = 0;
        next = target_follow_once(now);
        if (!next && errno != ENOMEM)
            return now;
        free(now);
        now = next;
    }
    if (now)
        errno = ELOOP;
    free(now);
    return NULL;
}

/* ---- patterns ---- */

/* A name for the job that can be part of a file name. */
static void target_name_job(char text[TARGET_JOB_SIZE])
{
    static const char *const names[] = {
        "SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID",      "COBALT_JOBID",
        "FLUX_JOB_ID",  "JOB_ID",    "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"};
    const char *job = NULL, *step = getenv("SLURM_STEP_ID");
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !(job && job[0]); i++)
        job = getenv(names[i]);
    if (!job || !job[0])
        snprintf(text, TARGET_JOB_SIZE, "%ld", (long)getpid());
    else if (step && job == getenv("SLURM_JOB_ID"))
        snprintf(text, TARGET_JOB_SIZE, "%s.%s", job, step);
    else
        snprintf(text, TARGET_JOB_SIZE, "%s", job);
    for (char *at = text; *at; at++)
        if (!isalnum((unsigned char)*at) && !strchr("._-", *at))
            *at = '_';
}

/* The position in `letters` of the letter after this %; NULL: not found. */
static const char *target_find_letter(const char *at, const char *letters)
{
    return at[0] == '%' && at[1] ? strchr(letters, at[1]) : NULL;
}

/* Replace the letters of `pattern` by texts; a letter without a text stays. */
static char *target_replace_letters(const char *pattern, const char *letters,
                                    const char *const *texts)
{
    size_t size = 1;
    for (const char *at = pattern; *at; at++) {
        const char *letter = target_find_letter(at, letters);
        size += letter ? strlen(texts[letter - letters]) : 1;
    }
    char *name = malloc(size), *to = name;
    for (const char *at = pattern; name && *at; at++) {
        const char *letter = target_find_letter(at, letters);
        if (letter) {
            to = stpcpy(to, texts[letter - letters]);
            at++;
        } else {
            *to++ = *at;
        }
    }
    if (name)
        *to = '\0';
    return name;
}

static int target_has_letter(const char *pattern, const char *letters)
{
    for (const char *at = pattern; *at; at++) {
        if (target_find_letter(at, letters))
            return 1;
        if (target_find_letter(at, "%"))
            at++;
    }
    return 0;
}

char *target_expand(const char *pattern, int *created)
{
    char job[TARGET_JOB_SIZE], process[32], count[32];
    const char *const texts[] = {job, process, count, "%"};
    char *name = NULL;
    int number = 0, counts = target_has_letter(pattern, "n"), file = -1;
    target_name_job(job);
    snprintf(process, sizeof process, "%ld", (long)getpid());
    do {
        free(name);
        snprintf(count, sizeof count, "%d", ++number);
        name = target_replace_letters(pattern, "jpn%", texts);
        if (name && counts)
            file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (name && counts && file < 0 && errno == EEXIST && number < TARGET_MOST_NAMES);
    if (file >= 0)
        close(file);
    *created = file >= 0;
    return name;
}

int target_is_pattern(const char *pattern)
{
    return target_has_letter(pattern, "jpn");
}

/* Characters that are special to glob(3) get a backslash. */
char *target_glob(const char *pattern)
{
    static const char *const texts[] = {"*", "*", "*", "%"};
    char *quoted = malloc(2 * strlen(pattern) + 1), *to = quoted;
    for (const char *at = pattern; quoted && *at; at++) {
        if (strchr("*?[]\\", *at))
            *to++ = '\\';
        *to++ = *at;
    }
    if (!quoted)
        return NULL;
    *to = '\0';
    char *glob = target_replace_letters(quoted, "jpn%", texts);
    free(quoted);
    return glob;
}
