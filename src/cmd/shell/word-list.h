/* SPDX-License-Identifier: BSD-3-Clause */
/* word-list.h - options with a list of words, "A,B,...", or that may be given several times. */
#ifndef RESEAT_WORD_LIST_H
#define RESEAT_WORD_LIST_H

#include <stddef.h>

#include "text/error.h"

/* The beginning of a layout's name as a method; the commas behind its next colon are its own. */
#define WORD_LIST_LAYOUT "layout:"

/* The words, in the order of the command line. */
struct word_list {
    char **word; /* allocated, as are the words */
    size_t count;
};

/* Add the words of a list "A,B,..."; a comma inside of the list of a layout ("n:3,0:") separates
 * nothing. `prefix` comes before each word; NULL: `text` is one word, whatever is in it. 0, or -1
 * or CLI_REFUSED with *error. */
int word_list_add(struct word_list *words, const char *prefix, const char *text,
                  struct reseat_error *error);

/* Room of `size` bytes for what each word means, allocated and zero. NULL: out of memory. */
void *word_list_meanings(const struct word_list *words, size_t size);

void word_list_free(struct word_list *words);

#endif
