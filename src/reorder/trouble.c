/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.c - see trouble.h. */
#include "reorder/trouble.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "text/printable.h"

void trouble_note(struct trouble *trouble, const char *format, ...)
{
    if (trouble->failed)
        return;
    char raw[sizeof trouble->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(raw, sizeof raw, format, arguments);
    va_end(arguments);
    printable_copy(trouble->text, sizeof trouble->text, raw);
    trouble->failed = 1;
}

int trouble_mpi(struct trouble *trouble, int rc, const char *what)
{
    if (rc != MPI_SUCCESS)
        trouble_note(trouble, "%s failed", what);
    return rc == MPI_SUCCESS;
}

/* The lowest rank that this process knows to be in trouble. */
static int trouble_first(const struct trouble *trouble, const struct rank_tree *rank_tree)
{
    int heard = trouble->heard ? trouble->heard - 1 : RANK_TREE_NOBODY;
    return trouble->failed && rank_tree->first < heard ? rank_tree->first : heard;
}

void trouble_gather(struct trouble *trouble, struct rank_tree *rank_tree, const void *mine,
                    size_t size, struct rank_tree_parts *parts)
{
    int first = rank_tree_gather(rank_tree, trouble_first(trouble, rank_tree), mine, size, parts);
    trouble->heard = first == RANK_TREE_NOBODY ? 0 : first + 1;
    if (rank_tree->first == 0 && parts->is_cut && !trouble->heard)
        trouble_note(trouble, "out of memory for what the ranks tell");
}

/* `first`: rank 0's, as it has come. Returns as trouble_broadcast. */
static int trouble_hear(struct trouble *trouble, const struct rank_tree *rank_tree, int first)
{
    trouble->heard = 0;
    if (first == RANK_TREE_NOBODY)
        return 0;
    if (rank_tree->first == first)
        trouble_note(trouble, "MPI failed"); /* so others say, who do not hear from it */
    if (rank_tree->first == first && !trouble->said)
        printable_say("launch order kept: rank %d: %s", first, trouble->text);
    trouble->failed = trouble->said = 1;
    return -1;
}

int trouble_broadcast(struct trouble *trouble, struct rank_tree *rank_tree, const void *data,
                      size_t size, const struct rank_tree_wanted *wanted)
{
    int first = trouble_first(trouble, rank_tree);
    return trouble_hear(trouble, rank_tree,
                        rank_tree_broadcast(rank_tree, first, data, size, wanted));
}

int trouble_scatter(struct trouble *trouble, struct rank_tree *rank_tree, const void *data,
                    size_t size, void *mine)
{
    int first = trouble_first(trouble, rank_tree);
    return trouble_hear(trouble, rank_tree, rank_tree_scatter(rank_tree, first, data, size, mine));
}

int trouble_agree(struct trouble *trouble, MPI_Comm comm)
{
    struct rank_tree rank_tree;
    struct rank_tree_parts parts;
    rank_tree_open(&rank_tree, comm);
    trouble_gather(trouble, &rank_tree, NULL, 0, &parts);
    free(parts.data);
    return trouble_broadcast(trouble, &rank_tree, NULL, 0,
                             &(struct rank_tree_wanted){.data = NULL});
}
