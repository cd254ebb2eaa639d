/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spelling.c - see spelling.h. The distance of two words is the number of letters to insert, to
 * leave out, to replace, and of neighbors to swap (optimal string alignment): three rows of the
 * usual table. Words count as similar if that is at most a third of the letters: `metirc` and
 * `metric`.
 */
#include "cmd/shell/spelling.h"

#include <string.h>

enum { SPELLING_LONGEST = 24 };

struct spelling spelling_of(const char *word)
{
    size_t length = strlen(word);
    struct spelling spelling = {word, NULL, 0};
    if (length <= SPELLING_LONGEST)
        spelling.distance = (int)(length + 2) / 3 + 1;
    return spelling;
}

static int spelling_least(int a, int b)
{
    return a < b ? a : b;
}

/* Both words have at most SPELLING_LONGEST letters. */
static int spelling_distance(const char *a, const char *b)
{
    int rows[3][SPELLING_LONGEST + 1], length = (int)strlen(b), i = 0;
    for (int j = 0; j <= length; j++)
        rows[0][j] = j;
    for (i = 1; a[i - 1]; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            row[j] = spelling_least(above[j], row[j - 1]) + 1;
            row[j] = spelling_least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = spelling_least(row[j], above2[j - 2] + 1);
        }
    }
    return rows[(i + 2) % 3][length];
}

void spelling_try(struct spelling *spelling, const char *candidate)
{
    if (spelling->distance == 0 || strlen(candidate) > SPELLING_LONGEST)
        return;
    int distance = spelling_distance(spelling->word, candidate);
    if (distance < spelling->distance) {
        spelling->distance = distance;
        spelling->best = candidate;
    }
}
