/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-tables.c - rows of a report's page that are not in its JSON, or fewer than there. */
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/page-parts.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-page.h"
#include "page/markup.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

enum { PAGE_LINKS = 20, PAGE_MATRIX = 12 };

/* ---- methods ---- */

/* Whether any order has bytes that cross a level. */
static int page_methods_cross(const struct report_methods *methods, int level)
{
    uint64_t all = methods->launch.weight_at[level];
    for (int i = 0; i < methods->count; i++)
        all |= methods->method[i].bytes.weight_at[level];
    return all > 0;
}

/* The launch order (`i` -1), or that by a method. */
static void page_add_order(struct document *d, const struct report *r, int i)
{
    const struct report_methods *methods = &r->methods;
    const struct report_method *m = i < 0 ? NULL : &methods->method[i];
    const struct tmap_cost *bytes = m ? &m->bytes : &methods->launch;
    document_open(d, NULL, '{');
    document_text(d, "name", m ? m->name : "launch order");
    document_boolean(d, "is_best", m && report_method_is_best(methods, i));
    document_open(d, "bytes", '(');
    for (int level = 0; level <= tmap_tree_depth(r->by_metric.tree); level++)
        if (page_methods_cross(methods, level))
            document_integer(d, NULL, bytes->weight_at[level]);
    document_close(d);
    document_number(d, "cost", m ? m->prediction.after.cost : r->by_metric.before.cost);
    document_number(d, "seconds", m ? m->seconds : methods->launch_seconds);
    document_numbers(d, "change", m ? 2 : 0, (double[]){1, m ? 1 - m->gain : 1});
    document_close(d);
}

void page_add_orders(struct document *d, const struct report *r)
{
    const struct tmap_tree *tree = r->by_metric.tree;
    char where[64];
    document_open(d, "@columns", '[');
    for (int level = 0; level <= tmap_tree_depth(tree); level++)
        if (page_methods_cross(&r->methods, level))
            document_text(d, NULL, level_crossing(tree, level, where));
    document_close(d);
    document_boolean(d, "@has_seconds", r->methods.launch_seconds > 0);
    document_open(d, "@orders", '[');
    for (int i = -1; i < r->methods.count; i++)
        page_add_order(d, r, i);
    document_close(d);
}

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

/* ---- what was recorded ---- */

/* A row, of a domain and phase; -1: all. */
static void page_add_traffic(struct document *d, const struct reseat_profile *profile, int domain,
                             int phase)
{
    char bytes[32], msgs[32];
    document_open(d, NULL, '{');
    if (phase < 0)
        document_text(d, "name", profile->domains[domain].function);
    else
        document_print(d, "name", "phase %d%s", phase, phase ? "" : " (outside phases)");
    document_integer(d, "ranks",
                     (uint64_t)(phase < 0 ? profile->domains[domain].size : profile->ranks));
    document_open(d, "kinds", '(');
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, profile, domain, kind, phase);
        if (sum.msgs > 0)
            document_print(d, NULL, "%s in %s", amount(sum.bytes, "B", bytes),
                           amount(sum.msgs, "", msgs));
        else
            document_text(d, NULL, "none");
    }
    document_close(d);
    document_close(d);
}

static void page_add_communicators(struct document *d, const struct reseat_profile *profile)
{
    char has[RESEAT_PHASES];
    size_t all = profile->domains_count;
    int any = profile_summary_phases(profile, has);
    document_open(d, "@communicators", '[');
    for (size_t i = 0; i < all && i < PROFILE_SUMMARY_DOMAINS; i++)
        page_add_traffic(d, profile, (int)i, -1);
    document_close(d);
    if (all > PROFILE_SUMMARY_DOMAINS)
        document_print(d, "@communicators_more", "%zu", all - PROFILE_SUMMARY_DOMAINS);
    else
        document_text(d, "@communicators_more", NULL);
    document_open(d, "@phases", '[');
    for (int phase = 0; any && phase < RESEAT_PHASES; phase++)
        if (has[phase])
            page_add_traffic(d, profile, -1, phase);
    document_close(d);
}

static void page_add_unseen(struct document *d, const char *what, int is_more)
{
    document_open(d, NULL, '{');
    document_boolean(d, "is_more", is_more);
    document_text(d, "text", what);
    document_close(d);
}

static void page_add_run(struct document *d, const struct reseat_profile *profile)
{
    char text[160], time[32];
    int hosts, bound, any = 0;
    document_open(d, "@headers", '[');
    if (profile->seats && profile_summary_count_hosts(profile, &hosts, &bound) == 0) {
        snprintf(text, sizeof text, "%d host%s, %d of %d ranks bound to a core", hosts,
                 hosts == 1 ? "" : "s", bound, (int)profile->ranks);
        page_add_fact(d, "watched on", text);
    }
    if (profile->microseconds) {
        snprintf(text, sizeof text, "%s, from MPI_Init to MPI_Finalize",
                 amount_seconds(1e-6 * (double)profile->microseconds, time));
        page_add_fact(d, "the job ran for", text);
    }
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") != 0)
            page_add_fact(d, profile->headers[i].key, profile->headers[i].value);
    document_close(d);
    document_open(d, "@not_seen", '[');
    for (size_t i = 0; i < profile->headers_count; i++)
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            page_add_unseen(d, profile->headers[i].value, any++);
    document_close(d);
}

void page_add_recorded(struct document *d, const struct reseat_profile *profile)
{
    page_add_communicators(d, profile);
    page_add_run(d, profile);
}
