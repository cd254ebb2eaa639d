/* SPDX-License-Identifier: BSD-3-Clause */
/* history-document.h - what auto has learned, as a document (doc/history-json.md) and a page
 * (src/page/history.html). */
#ifndef RESEAT_HISTORY_DOCUMENT_H
#define RESEAT_HISTORY_DOCUMENT_H

#include <stdio.h>

#include "cmd/auto/store.h"
#include "page/document.h"

/* Fill it with programs whose jobs have been read. `words` are those of the command line. */
void history_fill(struct document *document, const struct stored_program *list, size_t count,
                  const char *store, char *const *words);

/* Write the page of such a document: a page_form_fn. */
int history_write_page(FILE *file, const void *document);

/* "heat on 16 ranks, Open MPI: 100 200" */
void history_write_name(FILE *file, const void *program);

#endif
