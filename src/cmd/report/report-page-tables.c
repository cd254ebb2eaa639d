/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-tables.c - what a report's page has of nodes, fewer than JSON. */
#include <math.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/report/report-page.h"

enum { PAGE_LINKS = 20, PAGE_MATRIX = 12 };

/* ---- nodes ---- */

/* All pairs of few nodes: the bytes between two, or null from a node to itself. */
static void page_add_matrix(struct document *d, const struct report_nodes *nodes, int order)
{
    double bytes[PAGE_MATRIX][PAGE_MATRIX] = {{0}};
    char text[32];
    for (size_t i = 0; i < nodes->links; i++) {
        const struct report_link *link = &nodes->link[i];
        bytes[link->a][link->b] = bytes[link->b][link->a] = (double)link->bytes[order];
    }
    document_open(d, NULL, '{');
    document_text(d, "order", order ? "better order" : "launch order");
    document_open(d, "nodes", '[');
    for (int32_t a = 0; a < nodes->nodes; a++) {
        bytes[a][a] = NAN;
        document_open(d, NULL, '{');
        document_text(d, "name", report_node_name(nodes, a, text));
        document_numbers(d, "bytes", nodes->nodes, bytes[a]);
        document_close(d);
    }
    document_close(d);
    document_close(d);
}

static void page_add_matrices(struct document *d, const struct report_page *page)
{
    const int orders = page->nodes->nodes > PAGE_MATRIX ? 0 : page->report->is_gain ? 2 : 1;
    document_open(d, "@matrices", '[');
    for (int order = 0; order < orders; order++)
        page_add_matrix(d, page->nodes, order);
    document_close(d);
}

/* A row of the table of links, which may stand for several. */
struct page_row {
    const struct report_link *link;
    size_t count;
};

static int page_reads_alike(const struct report_link *a, const struct report_link *b)
{
    char x[32], y[32];
    for (int order = 0; order < 2; order++)
        if (strcmp(amount((double)a->bytes[order], "B", x),
                   amount((double)b->bytes[order], "B", y)) != 0)
            return 0;
    return 1;
}

/* The rows: each link; of many, those that read alike are one. Returns how many. */
static int page_find_rows(const struct report_nodes *nodes, struct page_row row[PAGE_LINKS])
{
    int rows = 0;
    for (size_t i = 0; i < nodes->links; i++) {
        const struct report_link *link = &nodes->link[i];
        int at = nodes->links > PAGE_LINKS ? 0 : rows;
        while (at < rows && !page_reads_alike(row[at].link, link))
            at++;
        if (at == PAGE_LINKS)
            continue;
        if (at == rows)
            row[rows++] = (struct page_row){link, 0};
        row[at].count++;
    }
    return rows;
}

static void page_add_links_caption(struct document *d, const struct report_nodes *nodes, int rows)
{
    size_t all = nodes->links + nodes->left_out;
    if (all <= PAGE_LINKS)
        document_text(d, "@links_caption",
                      "All pairs of nodes that exchange anything, in bytes of both directions");
    else
        document_print(d, "@links_caption",
                       "The %zu pairs of nodes with most traffic, in bytes of both directions%s%s",
                       nodes->links, nodes->left_out ? ", of more" : "",
                       rows == PAGE_LINKS ? "; like pairs are one row, and these are the first rows"
                                          : "");
}

void page_add_nodes(struct document *d, const struct report_page *page)
{
    const struct report_nodes *nodes = page->nodes;
    struct page_row row[PAGE_LINKS];
    int rows = page_find_rows(nodes, row);
    char text[32];
    document_boolean(d, "@has_links", nodes->nodes > 1 && nodes->links > 0);
    page_add_matrices(d, page);
    page_add_links_caption(d, nodes, rows);
    document_open(d, "@links", '[');
    for (int i = 0; i < rows; i++) {
        const struct report_link *link = row[i].link;
        document_open(d, NULL, '{');
        document_text(d, "a", report_node_name(nodes, link->a, text));
        document_text(d, "b", report_node_name(nodes, link->b, text));
        if (row[i].count > 1)
            document_print(d, "more", "%zu more", row[i].count - 1);
        else
            document_text(d, "more", NULL);
        document_numbers(d, "bytes", 2, (double[]){(double)link->bytes[0], (double)link->bytes[1]});
        document_close(d);
    }
    document_close(d);
}
