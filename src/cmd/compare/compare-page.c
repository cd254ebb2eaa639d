/* SPDX-License-Identifier: BSD-3-Clause */
/* compare-page.c - see compare-forms.h: the page, and what of it is too large to be values. */
#include "cmd/compare/compare-forms.h"
#include "cmd/shell/page-parts.h"
#include "page/frame.h"
#include "page/markup.h"
#include "page/sources.h"

/* So many rows are in the table of cases, and so many patterns have boxes of their own. */
enum { COMPARE_PAGE_ROWS = 10000, COMPARE_PAGE_PATTERNS = 40, COMPARE_PAGE_METHODS = 10 };
enum { COMPARE_PAGE_WIDTH = 1500 }; /* a larger chart scrolls: its texts would be too small */

/* The charts of --svg, but for those that would be too large for a page. */
static int compare_draw_charts(FILE *file, const void *context)
{
    const struct compare_findings *f = context;
    const struct compare_chart *chart;
    int rc = 0;
    if (f->methods > COMPARE_PAGE_METHODS) {
        fprintf(file, "<p>Charts of %zu methods are too large for a page; --svg has them.</p>\n",
                f->methods);
        return 0;
    }
    for (int i = 0; (chart = compare_chart(f->request, f->rows, i)); i++) {
        struct picture picture = {.width = 0};
        if (chart->is_by_pattern && f->request->patterns.count > COMPARE_PAGE_PATTERNS) {
            fprintf(file,
                    "<p>Boxes by pattern: %zu patterns are too many for a page; --svg has "
                    "them.</p>\n",
                    f->request->patterns.count);
            continue;
        }
        rc = chart->draw(&picture, f->request, f->rows) || picture.is_short ? -1 : rc;
        fprintf(file,
                "<figure%s><div class=\"scroll\" tabindex=\"0\" role=\"img\" aria-label=\"%s\">",
                picture.width > COMPARE_PAGE_WIDTH ? " class=\"large\"" : "", chart->label);
        picture_write_svg(file, &picture);
        fputs("</div></figure>\n", file);
        picture_free(&picture);
    }
    return rc;
}

/* Ends of rows and cells are left out, as HTML allows: they would be half of the page. */
static int compare_draw_cases(FILE *file, const void *context)
{
    const struct compare_findings *f = context;
    char cell[COMPARE_CELL_SIZE];
    for (size_t i = 0; i < f->rows->count && i < COMPARE_PAGE_ROWS; i++) {
        fputs("<tr>", file);
        for (int c = 0; c < COMPARE_COLUMNS; c++) {
            if (!compare_column_is_shown(f->request, (enum compare_column)c))
                continue;
            compare_format_cell(cell, f->request, &f->rows->row[i], (enum compare_column)c);
            fputs("<td>", file);
            markup_write(file, cell);
        }
        putc('\n', file);
    }
    return 0;
}

void compare_fill_page(struct document *d, const struct compare_findings *f)
{
    if (f->cases > 1) /* of one the tables have all */
        document_drawing(d, "@charts", compare_draw_charts, f);
    else
        document_text(d, "@charts", NULL);
    document_drawing(d, "@case_rows", compare_draw_cases, f);
    if (f->rows->count > COMPARE_PAGE_ROWS)
        document_print(d, "@caption", "The first %d of %zu rows; --tsv and --json have all.",
                       COMPARE_PAGE_ROWS, f->rows->count);
    else
        page_add_count(d, "@caption", f->rows->count, "row");
    page_add_count(d, "@methods", f->methods, "method");
    page_add_count(d, "@cases", f->cases, "case");
    page_add_count(d, "@rounds", (size_t)f->rows->rounds, "run");
}

int compare_write_page(FILE *file, const void *context)
{
    const struct document *document = context;
    const struct frame frame = {.kind = "comparison",
                                .title = "Mapping methods on {{@title}}",
                                .heading = "Mapping methods on <bdi>{{@title}}</bdi>",
                                .facts = "{{@methods}} &middot; {{@cases}} &middot; {{date}}",
                                .body = page_compare_html,
                                .style = {FRAME_SOURCE(results_css)},
                                .script = {FRAME_SOURCE(tables_js)},
                                .root = &document->root,
                                .formats = page_formats};
    return document->is_short ? -1 : frame_write(file, &frame);
}
