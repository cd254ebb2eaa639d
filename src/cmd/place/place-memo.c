/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * place-memo.c - avoid trying the same command line again. Next to the profile, FILE.tried has a
 * hash of the last changed command line that was obeyed (place-check.c), with all that it depends
 * on: the launcher, its words and variables, the places that it assigns by itself and those in the
 * file. The first try, which finds out these places, is always made.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/place/place.h"
#include "base/hash.h"

enum { HASH_DIGITS = 16 };

/* Includes the terminator, so that "ab", "c" differs from "a", "bc". */
static uint64_t tried_add_text(uint64_t hash, const char *text)
{
    return text ? reseat_hash_add(hash, text, strlen(text) + 1) : reseat_hash_add(hash, "\1", 1);
}

/* Skips the name of the temporary file, which differs each time. */
static uint64_t tried_add_word(uint64_t hash, const char *word, const char *file)
{
    const char *there = strstr(word, file);
    if (!there)
        return tried_add_text(hash, word);
    hash = reseat_hash_add(hash, word, (size_t)(there - word));
    return tried_add_text(hash, there + strlen(file));
}

/* The launcher may have been replaced under the same name. */
static uint64_t tried_add_launcher(uint64_t hash, const char *word)
{
    char path[PATH_MAX];
    struct stat status;
    if (find_in_path(word, path) || stat(path, &status))
        return tried_add_text(hash, word);
    hash = reseat_hash_add(tried_add_text(hash, path), &status.st_mtim, sizeof status.st_mtim);
    return reseat_hash_add(hash, &status.st_size, sizeof status.st_size);
}

/* Variables that may affect the launcher, or one that it starts. */
static uint64_t tried_add_variables(uint64_t hash, const char *file)
{
    for (char **variable = environ; *variable; variable++)
        if (launcher_is_variable(*variable))
            hash = tried_add_word(hash, *variable, file);
    return hash;
}

/* The places that the launcher assigns by itself, and those in the file. */
static uint64_t tried_add_places(uint64_t hash, const struct probe *probe,
                                 const struct emit_seat *seats)
{
    for (int32_t rank = 0; rank < probe->ranks; rank++) {
        const struct probe_seat *launched = &probe->seat[rank];
        hash = tried_add_text(hash, probe->host[launched->host].name);
        hash = tried_add_text(hash, launched->cpus);
        hash = tried_add_text(hash, seats[rank].host);
        hash = tried_add_text(hash, seats[rank].slots);
        hash = tried_add_text(hash, seats[rank].cpus);
    }
    return hash;
}

static uint64_t tried_hash(const struct placement *p)
{
    const struct placed_job *placed = &p->placed;
    const struct job *job = &p->input.job;
    uint64_t hash = reseat_hash_empty;
    hash = tried_add_launcher(hash, placed->words[job->launcher_at]);
    for (int i = 0; placed->words[i] != p->input.command[job->program]; i++)
        hash = tried_add_word(hash, placed->words[i], placed->file);
    hash = tried_add_variables(hash, placed->file);
    hash = tried_add_text(hash, p->order.format->name);
    return tried_add_places(hash, &p->probe, p->order.seats);
}

/* NULL: without a profile there is no place for it. */
static FILE *tried_open(const char *profile, const char *mode)
{
    char path[PATH_MAX];
    int length = profile ? snprintf(path, sizeof path, "%s.tried", profile) : -1;
    return length >= 0 && length < (int)sizeof path ? fopen(path, mode) : NULL;
}

int placement_was_tried(const struct placement *p)
{
    char line[64] = "", wanted[64];
    FILE *file = tried_open(p->input.profile, "re");
    if (!file)
        return 0;
    snprintf(wanted, sizeof wanted, "reseat tried 1 %0*llx\n", HASH_DIGITS,
             (unsigned long long)tried_hash(p));
    int is_same = fgets(line, sizeof line, file) && strcmp(line, wanted) == 0;
    fclose(file);
    return is_same;
}

void placement_keep_tried(const struct placement *p)
{
    FILE *file = tried_open(p->input.profile, "we");
    if (!file)
        return;
    fprintf(file, "reseat tried 1 %0*llx\n", HASH_DIGITS, (unsigned long long)tried_hash(p));
    fclose(file);
}
