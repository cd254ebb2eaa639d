/* SPDX-License-Identifier: BSD-3-Clause */
/* emit.c - write the contents of the launchers' files; launcher/formats.c tells which launcher has
 * which, and how it is told of it. */
#include "cmd/place/emit.h"

#include <stdlib.h>
#include <string.h>

#include "text/host-name.h"

typedef int emitter(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                    int32_t ranks, struct reseat_error *error);

static int emit_hosts(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                      int32_t ranks, struct reseat_error *error)
{
    (void)slot_of;
    (void)error;
    for (int32_t rank = 0; rank < ranks; rank++)
        fprintf(file, "%s\n", seats[rank].host);
    return 0;
}

static int emit_rankfile(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                         int32_t ranks, struct reseat_error *error)
{
    (void)slot_of;
    for (int32_t rank = 0; rank < ranks; rank++)
        if (seats[rank].core < 0 && !seats[rank].slots)
            return reseat_fail(error,
                               "the core of rank %d is not known, which a rankfile needs; --emit "
                               "openmpi needs hosts only",
                               (int)rank);
    for (int32_t rank = 0; rank < ranks; rank++)
        if (seats[rank].slots)
            fprintf(file, "rank %d=%s slot=%s\n", (int)rank, seats[rank].host, seats[rank].slots);
        else
            fprintf(file, "rank %d=%s slot=%d\n", (int)rank, seats[rank].host,
                    (int)seats[rank].core);
    return 0;
}

static int emit_hydra(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                      int32_t ranks, struct reseat_error *error)
{
    (void)slot_of;
    (void)error;
    ranks = emit_hydra_entries(seats, ranks);
    for (int32_t first = 0, rank = 0; rank < ranks; first = rank) {
        while (rank < ranks && emit_same_host(seats, rank, first))
            rank++;
        fprintf(file, "%s:%d\n", seats[first].host, (int)(rank - first));
    }
    return 0;
}

/* An order of ranks fills one slot after the other, so empty slots can only be the last ones. */
static int emit_cray(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                     int32_t ranks, struct reseat_error *error)
{
    int is_full = 1;
    (void)seats;
    int32_t *rank_on = malloc(sizeof *rank_on * ((size_t)ranks + 1));
    if (!rank_on)
        return reseat_fail(error, "out of memory");
    memset(rank_on, 0xff, sizeof *rank_on * (size_t)ranks);
    for (int32_t rank = 0; rank < ranks && is_full; rank++) {
        is_full = slot_of[rank] < ranks && rank_on[slot_of[rank]] < 0;
        if (is_full)
            rank_on[slot_of[rank]] = rank;
    }
    for (int32_t slot = 0; slot < ranks && is_full; slot++)
        fprintf(file, "%d%c", (int)rank_on[slot], slot + 1 < ranks ? ',' : '\n');
    free(rank_on);
    return is_full
               ? 0
               : reseat_fail(error,
                             "an order of ranks leaves no slot between them empty: cray needs a "
                             "tree of %d slots, or a profile with hosts and no --tree",
                             (int)ranks);
}

/* {(0,3)(1,4)(2,5)}: each host at its first rank. */
static int emit_geometry(FILE *file, const struct emit_seat *seats, const int32_t *slot_of,
                         int32_t ranks, struct reseat_error *error)
{
    char *done = calloc((size_t)ranks + 1, 1);
    (void)slot_of;
    if (!done)
        return reseat_fail(error, "out of memory");
    fprintf(file, "{");
    for (int32_t first = 0; first < ranks; first++) {
        if (done[first])
            continue;
        for (int32_t rank = first; rank < ranks; rank++)
            if (!done[rank] && emit_same_host(seats, rank, first)) {
                fprintf(file, "%s%d", rank == first ? "(" : ",", (int)rank);
                done[rank] = 1;
            }
        fprintf(file, ")");
    }
    fprintf(file, "}\n");
    free(done);
    return 0;
}

static emitter *const emitters[] = {[LAUNCHER_HOSTS] = emit_hosts,
                                    [LAUNCHER_RANKFILE] = emit_rankfile,
                                    [LAUNCHER_HOST_COUNTS] = emit_hydra,
                                    [LAUNCHER_RANK_ORDER] = emit_cray,
                                    [LAUNCHER_GEOMETRY] = emit_geometry};

/* Check host names, whatever their source: launchers pass them to ssh and shells. 0, or -1 with
 * *error. */
static int emit_check_hosts(const struct launcher_format *format, const struct emit_seat *seats,
                            int32_t ranks, struct reseat_error *error)
{
    for (int32_t rank = 0; rank < ranks; rank++) {
        const char *host = seats[rank].host;
        if (rank && host == seats[rank - 1].host)
            continue;
        if (!host || !host_name_is_valid(host))
            return reseat_fail(error, "'%.100s' is not a host name", host ? host : "");
        if (format->no_colon && strchr(host, ':'))
            return reseat_fail(error, "%s: Hydra's file takes no address with colons", host);
    }
    return 0;
}

int emit(FILE *file, const struct launcher_format *format, const struct emit_seat *seats,
         const int32_t *slot_of, int32_t ranks, struct reseat_error *error)
{
    return emit_check_hosts(format, seats, ranks, error)
               ? -1
               : emitters[format->content](file, seats, slot_of, ranks, error);
}

/* ---- how to use the files ---- */

/* Make a word, with the path or list in place of `@`. 0, or -1: out of memory. */
static int emit_word(char **word, const char *text, const char *path)
{
    size_t before = strcspn(text, "@");
    int is_there = text[before] == '@';
    return asprintf(word, "%.*s%s%s", (int)before, text, is_there ? path : "",
                    text + before + is_there) < 0
               ? -1
               : 0;
}

/* 0, or -1: out of memory. */
static int emit_add_words(struct emit_use *use, const char *const *words, const char *text)
{
    for (int i = 0; words[i]; i++, use->count++)
        if (emit_word(&use->words[use->count], words[i], text))
            return -1;
    return 0;
}

static int emit_add_binding(struct emit_use *use, const struct emit_seat *seats, int32_t ranks)
{
    char *list;
    if (emit_binding(&list, use->format, seats, ranks))
        return -1;
    int rc = list ? emit_add_words(use, use->format->list_words, list) : 0;
    free(list);
    return rc;
}

void emit_use_free(struct emit_use *use)
{
    for (int i = 0; i < use->count; i++)
        free(use->words[i]);
    free(use->value);
    memset(use, 0, sizeof *use);
}

int emit_use(struct emit_use *use, const struct launcher_format *format, const char *path,
             const struct emit_seat *seats, int32_t ranks)
{
    *use = (struct emit_use){.format = format};
    int has_value = !format->variable || (use->value = strdup(path)) != NULL;
    if (has_value && emit_add_words(use, format->words, path) == 0 &&
        emit_add_binding(use, seats, ranks) == 0)
        return 0;
    emit_use_free(use);
    return -1;
}
