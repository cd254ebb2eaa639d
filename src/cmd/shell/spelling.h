/* SPDX-License-Identifier: BSD-3-Clause */
/* spelling.h - which of several words a user may have meant. */
#ifndef RESEAT_CMD_SPELLING_H
#define RESEAT_CMD_SPELLING_H

struct spelling {
    const char *word;
    const char *best; /* the most similar word so far; NULL: none is similar */
    int distance;     /* of that one; at first one more than the most that counts as similar */
};

/* A search for what is similar to `word`, which has to stay valid. */
struct spelling spelling_of(const char *word);

/* Compare with one more word, which has to stay valid. Of words equally similar the first
 * counts. */
void spelling_try(struct spelling *spelling, const char *candidate);

#endif
