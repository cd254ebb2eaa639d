/* SPDX-License-Identifier: BSD-3-Clause */
/* report-page-tables.c - the tables of a report's page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "cmd/shell/profile-summary.h"
#include "cmd/report/report-page.h"
#include "page/markup.h"
#include "cmd/shell/machine-load.h"
#include "profile/profile.h"
#include "treematch/tmap.h"

enum { PAGE_LINKS = 20, PAGE_MATRIX = 12 };

/* ---- cells ---- */

static void page_write_amount(FILE *file, double value, const char *unit)
{
    char text[32];
    fprintf(file, "<td class=\"number\">%s</td>", amount(value, unit, text));
}

void page_write_change(FILE *file, double before, double after)
{
    char times[32];
    if (before <= 0 || before == after)
        fprintf(file, "<td class=\"number\">%s</td>", before == after ? "none" : "new");
    else if (after >= 10 * before)
        fprintf(file, "<td class=\"number\">%s times</td>", amount(after / before, "", times));
    else if (fabs(after / before - 1) < 0.005)
        fputs("<td class=\"number\">under 1 %</td>", file);
    else
        fprintf(file, "<td class=\"number%s\">%+.0f %%</td>", after < before ? " less" : "",
                100 * (after / before - 1));
}

static void page_draw_bar(FILE *file, const char *kind, double y, double value, double most)
{
    double width = most > 0 ? 100 * value / most : 0;
    if (value > 0)
        fprintf(file, "<rect class=\"%s\" y=\"%g\" width=\"%.4g\" height=\"7\" rx=\"0.4\"/>", kind,
                y, width < 0.4 ? 0.4 : width);
}

void page_write_bars(FILE *file, int bars, double before, double after, double most)
{
    fputs("<svg class=\"bar\" viewBox=\"0 0 100 16\" preserveAspectRatio=\"none\" "
          "aria-hidden=\"true\"><rect class=\"rail\" width=\"0.3\" height=\"16\"/>",
          file);
    page_draw_bar(file, "before", bars > 1 ? 0.5 : 4.5, before, most);
    if (bars > 1)
        page_draw_bar(file, "after", 8.5, after, most);
    fputs("</svg>", file);
}

/* ---- levels ---- */

/* What the links of a network carry, in rows below its level. */
static void page_write_loads(FILE *file, const struct report_page *page, int level)
{
    const struct loads *loads = &page->report->bytes_on[level];
    const struct {
        const char *what;
        const double *value;
    } rows[] = {{"on the busiest link", loads->busiest}, {"on a link, mean", loads->mean}};
    int is_gain = page->report->is_gain;
    fprintf(file,
            "<tr class=\"sub\"><th scope=\"row\">hops a byte</th><td></td><td "
            "class=\"number\">%.2f</td>",
            loads->hops[0]);
    if (is_gain) {
        fprintf(file, "<td class=\"number\">%.2f</td>", loads->hops[1]);
        page_write_change(file, loads->hops[0], loads->hops[1]);
    }
    fprintf(file, "<td colspan=\"%d\"></td></tr>\n", is_gain ? 2 : 1);
    for (int i = 0; i < 2; i++) {
        fprintf(file, "<tr class=\"sub\"><th scope=\"row\">%s</th><td></td>", rows[i].what);
        page_write_amount(file, rows[i].value[0], "B");
        if (is_gain) {
            page_write_amount(file, rows[i].value[1], "B");
            page_write_change(file, rows[i].value[0], rows[i].value[1]);
        }
        fprintf(file, "<td colspan=\"%d\"></td></tr>\n", is_gain ? 2 : 1);
    }
}

static void page_write_level(FILE *file, const struct report_page *page, int level, double most)
{
    const struct report *r = page->report;
    const double bytes[2] = {(double)r->bytes.before.weight_at[level],
                             (double)r->bytes.after.weight_at[level]};
    char where[64];
    fputs("<tr><th scope=\"row\">", file);
    markup_write(file, level_crossing(r->by_metric.tree, level, where));
    fputs("</th><td class=\"wide\">", file);
    page_write_bars(file, page->report->is_gain ? 2 : 1, bytes[0], bytes[1], most);
    fputs("</td>", file);
    page_write_amount(file, bytes[0], "B");
    if (r->is_gain) {
        page_write_amount(file, bytes[1], "B");
        page_write_change(file, bytes[0], bytes[1]);
    }
    page_write_amount(file, (double)r->msgs.before.weight_at[level], "");
    if (r->is_gain)
        page_write_amount(file, (double)r->msgs.after.weight_at[level], "");
    fputs("</tr>\n", file);
}

void page_write_levels(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct tmap_tree *tree = page->report->by_metric.tree;
    const uint64_t *before = page->report->bytes.before.weight_at;
    const uint64_t *after = page->report->bytes.after.weight_at;
    const uint64_t *msgs[2] = {page->report->msgs.before.weight_at,
                               page->report->msgs.after.weight_at};
    uint64_t most = 0;
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        most = before[level] > most ? before[level] : most;
        most = after[level] > most ? after[level] : most;
    }
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        if (!before[level] && !after[level] && !msgs[0][level] && !msgs[1][level])
            continue;
        page_write_level(file, page, level, (double)most);
        if (tmap_tree_shape(tree, level, NULL) != TMAP_SHAPE_NONE)
            page_write_loads(file, page, level);
    }
}

/* ---- methods ---- */

/* Whether any order has bytes that cross a level. */
static int page_methods_cross(const struct report_methods *methods, int level)
{
    uint64_t all = methods->launch.weight_at[level];
    for (int i = 0; i < methods->count; i++)
        all |= methods->method[i].bytes.weight_at[level];
    return all > 0;
}

void page_write_methods_head(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct tmap_tree *tree = page->report->by_metric.tree;
    const struct report_methods *methods = &page->report->methods;
    char where[64];
    for (int level = 0; level <= tmap_tree_depth(tree); level++) {
        if (!page_methods_cross(methods, level))
            continue;
        fputs("<th scope=\"col\" class=\"number\">Bytes ", file);
        markup_write(file, level_crossing(tree, level, where));
        fputs("</th>", file);
    }
    fputs("<th scope=\"col\" class=\"number\">Cost</th>", file);
    if (methods->launch_seconds > 0)
        fputs("<th scope=\"col\" class=\"number\">Time</th>", file);
    fputs("<th scope=\"col\" class=\"number\">Change</th>", file);
}

static void page_write_method(FILE *file, const struct report_page *page, int i)
{
    const struct report_methods *methods = &page->report->methods;
    const struct report_method *m = i < 0 ? NULL : &methods->method[i];
    const struct prediction *p = &page->report->by_metric;
    char text[32];
    fputs("<tr><th scope=\"row\">", file);
    markup_write(file, m ? m->name : "launch order");
    fputs(m && report_method_is_best(methods, i) ? " <span class=\"by\">(the best)</span></th>"
                                                 : "</th>",
          file);
    for (int level = 0; level <= tmap_tree_depth(p->tree); level++)
        if (page_methods_cross(methods, level))
            page_write_amount(file, (double)(m ? m->bytes : methods->launch).weight_at[level], "B");
    fprintf(file, "<td class=\"number\">%.4g</td>", m ? m->prediction.after.cost : p->before.cost);
    if (methods->launch_seconds > 0)
        fprintf(file, "<td class=\"number\">%s</td>",
                amount_seconds(m ? m->seconds : methods->launch_seconds, text));
    if (m)
        page_write_change(file, 1, 1 - m->gain);
    else
        fputs("<td class=\"number\">-</td>", file);
    fputs("</tr>\n", file);
}

void page_write_methods(FILE *file, const void *context)
{
    const struct report_page *page = context;
    for (int i = -1; i < page->report->methods.count; i++)
        page_write_method(file, page, i);
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
                page_write_amount(file, value[a][b], "B");
        fputs("</tr>\n", file);
    }
    fputs("</tbody></table></div>\n", file);
}

void page_write_node_matrix(FILE *file, const void *context)
{
    const struct report_page *page = context;
    if (page->nodes->nodes > PAGE_MATRIX)
        return;
    fputs("<div class=\"matrices\">\n", file);
    for (int order = 0; order < (page->report->is_gain ? 2 : 1); order++)
        page_write_one_matrix(file, page, order);
    fputs("</div>\n", file);
}

void page_write_links_caption(FILE *file, const void *context)
{
    const struct report_page *page = context;
    size_t all = page->nodes->links + page->nodes->left_out;
    if (all > PAGE_LINKS)
        fprintf(file, "The %d of %zu pairs of nodes with most traffic, in bytes of both directions",
                PAGE_LINKS, all);
    else
        fprintf(file, "All pairs of nodes that exchange anything, in bytes of both directions");
}

void page_write_links(FILE *file, const void *context)
{
    const struct report_page *page = context;
    for (size_t i = 0; i < page->nodes->links && i < PAGE_LINKS; i++) {
        const struct report_link *link = &page->nodes->link[i];
        fputs("<tr><td>", file);
        page_write_node(file, page, link->a);
        fputs("</td><td>", file);
        page_write_node(file, page, link->b);
        fputs("</td>", file);
        page_write_amount(file, (double)link->bytes[0], "B");
        if (page->report->is_gain) {
            page_write_amount(file, (double)link->bytes[1], "B");
            page_write_change(file, (double)link->bytes[0], (double)link->bytes[1]);
        }
        fputs("</tr>\n", file);
    }
}

/* ---- pairs of ranks ---- */

void page_write_pairs(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct report *r = page->report;
    const struct prediction *p = &r->by_metric;
    char where[64];
    for (int i = 0; i < r->pairs; i++) {
        const struct report_pair *pair = &r->heaviest[i];
        fprintf(file, "<tr><td class=\"number\">%d</td><td class=\"number\">%d</td>", (int)pair->a,
                (int)pair->b);
        page_write_amount(file, (double)pair->weight, r->unit);
        fputs("<td>", file);
        markup_write(file, level_crossing(p->tree, pair->level, where));
        fputs("</td>", file);
        if (r->is_gain) {
            int after = tmap_tree_common_level(p->tree, p->best[pair->a], p->best[pair->b]);
            fputs("<td>", file);
            markup_write(file, level_crossing(p->tree, after, where));
            fputs("</td>", file);
        }
        fputs("</tr>\n", file);
    }
}

/* ---- what was recorded ---- */

/* The rest of a row, of a domain and phase; -1: all. */
static void page_write_traffic(FILE *file, const struct reseat_profile *profile, int domain,
                               int phase)
{
    char bytes[32], msgs[32];
    for (int kind = 0; kind < RESEAT_TRAFFIC_KINDS; kind++) {
        struct profile_summary_amount sum;
        profile_summary_sum(&sum, profile, domain, kind, phase);
        if (sum.msgs > 0)
            fprintf(file, "<td class=\"number\">%s in %s</td>", amount(sum.bytes, "B", bytes),
                    amount(sum.msgs, "", msgs));
        else
            fputs("<td class=\"number\">none</td>", file);
    }
    fputs("</tr>\n", file);
}

void page_write_communicators(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct reseat_profile *profile = page->report->profile;
    char has[RESEAT_PHASES];
    size_t all = profile->domains_count;
    for (size_t d = 0; d < all && d < PROFILE_SUMMARY_DOMAINS; d++) {
        fputs("<tr><th scope=\"row\">", file);
        markup_write(file, profile->domains[d].function);
        fprintf(file, "</th><td class=\"number\">%d</td>", (int)profile->domains[d].size);
        page_write_traffic(file, profile, (int)d, -1);
    }
    if (all > PROFILE_SUMMARY_DOMAINS)
        fprintf(file, "<tr><td colspan=\"5\">and %zu more</td></tr>\n",
                all - PROFILE_SUMMARY_DOMAINS);
    int any = profile_summary_phases(profile, has);
    for (int phase = 0; any && phase < RESEAT_PHASES; phase++) {
        if (!has[phase])
            continue;
        fprintf(file, "<tr><th scope=\"row\">phase %d%s</th><td class=\"number\">%d</td>", phase,
                phase ? "" : " (outside phases)", (int)profile->ranks);
        page_write_traffic(file, profile, -1, phase);
    }
}

void page_write_headers(FILE *file, const void *context)
{
    const struct report_page *page = context;
    const struct reseat_profile *profile = page->report->profile;
    char text[32];
    int hosts, bound;
    if (profile->seats && profile_summary_count_hosts(profile, &hosts, &bound) == 0)
        fprintf(file, "<dt>watched on</dt><dd>%d host%s, %d of %d ranks bound to a core</dd>\n",
                hosts, hosts == 1 ? "" : "s", bound, (int)profile->ranks);
    if (profile->microseconds)
        fprintf(file, "<dt>the job ran for</dt><dd>%s, from MPI_Init to MPI_Finalize</dd>\n",
                amount_seconds(1e-6 * (double)profile->microseconds, text));
    for (size_t i = 0; i < profile->headers_count; i++) {
        if (strcmp(profile->headers[i].key, "not_seen") == 0)
            continue;
        fputs("<dt>", file);
        markup_write(file, profile->headers[i].key);
        fputs("</dt><dd>", file);
        markup_write(file, profile->headers[i].value);
        fputs("</dd>\n", file);
    }
}
