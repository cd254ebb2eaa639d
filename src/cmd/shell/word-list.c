/* SPDX-License-Identifier: BSD-3-Clause */
/* word-list.c - see word-list.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/word-list.h"

/* Add one word: a prefix and the first `length` bytes of a text. 0, or -1 with *error. */
static int word_list_add_one(struct word_list *words, const char *prefix, const char *text,
                             size_t length, struct reseat_error *error)
{
    char *word = NULL;
    char **grown = array_grow(words->word, words->count, sizeof *grown);
    if (!grown)
        return reseat_fail(error, "out of memory");
    words->word = grown;
    if (asprintf(&word, "%s%.*s", prefix, (int)length, text) < 0)
        return reseat_fail(error, "out of memory");
    words->word[words->count++] = word;
    return 0;
}

int word_list_add(struct word_list *words, const char *prefix, const char *text,
                  struct reseat_error *error)
{
    int rc = 0, is_last = !prefix;
    if (!prefix)
        return word_list_add_one(words, "", text, strlen(text), error);
    while (!rc && !is_last) {
        size_t length = 0;
        int is_inside = 0; /* of the list of a layout, beyond the colon of its name as a method */
        if (strncmp(text, WORD_LIST_LAYOUT, strlen(WORD_LIST_LAYOUT)) == 0)
            length = strlen(WORD_LIST_LAYOUT);
        for (; text[length] && (is_inside || text[length] != ','); length++)
            is_inside ^= text[length] == ':';
        if (length == 0)
            return cli_refuse(error, "a list with nothing between two commas");
        rc = word_list_add_one(words, prefix, text, length, error);
        is_last = !text[length];
        text += length + 1;
    }
    return rc;
}

void word_list_free(struct word_list *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
}

void *word_list_meanings(const struct word_list *words, size_t size)
{
    return calloc(words->count + 1, size);
}
