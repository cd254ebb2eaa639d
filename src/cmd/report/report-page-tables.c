/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-tables.c - what a report's page has of nodes, fewer than JSON. */

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/report/report-page.h"
#include "page/markup.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

enum { PAGE_LINKS = 20, PAGE_MATRIX = 12 };

/* ---- nodes ---- */

static void page_write_node(FILE *file, const struct report_page *page, int32_t node)
{
    char text[32];
    markup_write(file, report_node_name(page->nodes, node, text));
}

/* All pairs of few nodes. */
static void page_write_one_matrix(FILE *file, const struct report_page *page, int order)
{
    int32_t nodes = page->nodes->nodes;
    double value[PAGE_MATRIX][PAGE_MATRIX] = {{0}};
    char text[32];
    for (size_t i = 0; i < page->nodes->links; i++) {
        const struct report_link *link = &page->nodes->link[i];
        value[link->a][link->b] = value[link->b][link->a] = (double)link->bytes[order];
    }
    fprintf(file,
            "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Bytes between "
            "nodes\"><table class=\"matrix\"><caption>Bytes between nodes, both directions, %s"
            "</caption>\n<thead><tr><td></td>",
            order ? "better order" : "launch order");
    for (int32_t b = 0; b < nodes; b++) {
        fputs("<th scope=\"col\">", file);
        page_write_node(file, page, b);
        fputs("</th>", file);
    }
    fputs("</tr></thead><tbody>\n", file);
    for (int32_t a = 0; a < nodes; a++) {
        fputs("<tr><th scope=\"row\">", file);
        page_write_node(file, page, a);
        fputs("</th>", file);
        for (int32_t b = 0; b < nodes; b++)
            if (a == b)
                fputs("<td class=\"self\">-</td>", file);
            else
                fprintf(file, "<td class=\"number\">%s</td>", amount(value[a][b], "B", text));
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

static int page_draw_matrices(FILE *file, const void *context)
{
    const struct report_page *page = context;
    if (page->nodes->nodes > PAGE_MATRIX)
        return 0;
    fputs("<div class=\"matrices\">\n", file);
    for (int order = 0; order < (page->report->is_gain ? 2 : 1); order++)
        page_write_one_matrix(file, page, order);
    fputs("</div>\n", file);
    return 0;
}

void page_add_nodes(struct document *d, const struct report_page *page)
{
    const struct report_nodes *nodes = page->nodes;
    size_t all = nodes->links + nodes->left_out;
    char text[32];
    document_boolean(d, "@has_links", nodes->nodes > 1 && nodes->links > 0);
    document_drawing(d, "@matrices", page_draw_matrices, page);
    if (all > PAGE_LINKS)
        document_print(
            d, "@links_caption",
            "The %d of %zu pairs of nodes with most traffic, in bytes of both directions",
            PAGE_LINKS, all);
    else
        document_text(d, "@links_caption",
                      "All pairs of nodes that exchange anything, in bytes of both directions");
    document_open(d, "@links", '[');
    for (size_t i = 0; i < nodes->links && i < PAGE_LINKS; i++) {
        const struct report_link *link = &nodes->link[i];
        document_open(d, NULL, '{');
        document_text(d, "a", report_node_name(nodes, link->a, text));
        document_text(d, "b", report_node_name(nodes, link->b, text));
        document_numbers(d, "bytes", 2, (double[]){(double)link->bytes[0], (double)link->bytes[1]});
        document_close(d);
    }
    document_close(d);
}
