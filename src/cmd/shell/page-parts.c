/* SPDX-License-Identifier: BSD-3-Clause */
/* page-parts.c - see page-parts.h. */
#include "cmd/shell/page-parts.h"

#include <stdlib.h>

#include "cmd/shell/amount.h"
#include "page/markup.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/output-file.h"
#include "profile/profile.h"

/* ---- files ---- */

int page_save(const char *path, page_form_fn *form, const void *context, const char *command)
{
    char *text = NULL;
    size_t size = 0;
    if (!path)
        return 0;
    FILE *memory = open_memstream(&text, &size);
    int rc = memory ? form(memory, context) : -1;
    if (memory && fclose(memory))
        rc = -1;
    int status = rc ? cli_fail(EXIT_TROUBLE, command, "%s: out of memory", path)
                    : save_text(path, text, size, command);
    free(text);
    return status;
}

/* ---- texts ---- */

char *page_line(page_line_fn *write, const void *context)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory)
        write(memory, context);
    if (!memory || fclose(memory)) {
        free(text);
        return NULL;
    }
    if (size > 0 && text[size - 1] == '\n')
        text[size - 1] = '\0';
    return text;
}

/* ---- commands ---- */

int page_write_words(FILE *file, const char *first, char *const *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return -1;
    if (first)
        fputs(first, memory);
    for (int i = 0; words[i]; i++) {
        if (first || i > 0)
            putc(' ', memory);
        shell_word_print(memory, words[i]);
    }
    int rc = fclose(memory) ? -1 : 0;
    if (rc == 0)
        markup_write_lines(file, text);
    free(text);
    return rc;
}

int page_write_command(FILE *file, const char *first, char *const *words, const char *meaning)
{
    fputs("<pre><code>", file);
    int rc = page_write_words(file, first, words);
    fputs("</code></pre>\n", file);
    if (meaning)
        fprintf(file, "<p>%s</p>\n", meaning);
    return rc;
}

void page_json_words(struct json *json, const char *key, char *const *words)
{
    json_open(json, key, '(');
    for (int i = 0; words[i]; i++)
        json_text(json, NULL, words[i]);
    json_close(json);
}

void page_json_headers(struct json *json, const struct reseat_profile *profile)
{
    json_open(json, "headers", '[');
    for (size_t i = 0; i < profile->headers_count; i++) {
        json_open(json, NULL, '(');
        json_text(json, NULL, profile->headers[i].key);
        json_text(json, NULL, profile->headers[i].value);
        json_close(json);
    }
    json_close(json);
}

const char *page_date(time_t when, char text[32])
{
    struct tm parts;
    if (!gmtime_r(&when, &parts) || !strftime(text, 32, "%Y-%m-%d %H:%M:%S UTC", &parts))
        text[0] = '\0';
    return text;
}

/* ---- tiles ---- */

void page_write_tile(FILE *file, const struct page_tile *tile)
{
    const double *value = tile->value;
    char text[80];
    fputs("<div class=\"tile\"><span class=\"what\">", file);
    markup_write(file, tile->what);
    if (value[0] > 0)
        fprintf(file, "</span><span class=\"change%s\">%+.*f %%", tile->is_less ? " less" : "",
                tile->decimals, 100 * (value[1] / value[0] - 1));
    fprintf(file, "</span><span class=\"values\">%s</span>",
            amount_change(value[0], value[1], tile->unit, text));
    tile->bars(file, value, value[0] > value[1] ? value[0] : value[1]);
    fputs("</div>\n", file);
}

/* ---- charts ---- */

/* Room at both ends for what is drawn around a place. */
static double page_percent(const struct draw_axis *axis, double value)
{
    return 1.5 + 97 * axis_place(axis, value);
}

void page_begin_chart(FILE *file, int height, const char *label)
{
    fprintf(file, "<svg class=\"chart\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"",
            height);
    markup_write(file, label);
    fputs("\">", file);
}

void page_begin_bars(FILE *file)
{
    fputs("<svg class=\"bar\" aria-hidden=\"true\">", file);
}

void page_write_bar(FILE *file, const struct draw_axis *axis, const struct page_bar *bar)
{
    double from = page_percent(axis, bar->from), to = page_percent(axis, bar->to);
    fprintf(
        file, "<rect class=\"%s\" x=\"%.4g%%\" width=\"%.4g%%\" y=\"%g\" height=\"%g\" rx=\"1\"/>",
        bar->class, from < to ? from : to, from < to ? to - from : from - to, bar->y, bar->height);
}

void page_write_line(FILE *file, const struct draw_axis *axis, const struct page_bar *bar)
{
    double at = page_percent(axis, bar->from);
    fprintf(file, "<line class=\"%s\" x1=\"%.4g%%\" x2=\"%.4g%%\" y1=\"%g\" y2=\"%g\"/>",
            bar->class, at, at, bar->y, bar->y + bar->height);
}

void page_write_dot(FILE *file, const struct draw_axis *axis, const struct page_bar *bar)
{
    fprintf(file, "<circle class=\"%s\" cx=\"%.4g%%\" cy=\"%g\" r=\"%g\"/>", bar->class,
            page_percent(axis, bar->from), bar->y, bar->height / 2);
}

void page_write_ticks(FILE *file, const struct draw_axis *axis, double top, double bottom)
{
    for (int i = 0; i < axis->ticks; i++) {
        const char *anchor = i == 0 ? "start" : i + 1 < axis->ticks ? "middle" : "end";
        page_write_line(file, axis, &(struct page_bar){"tick", axis->at[i], 0, top, bottom - top});
        fprintf(file, "<text x=\"%.4g%%\" y=\"%g\" text-anchor=\"%s\">",
                page_percent(axis, axis->at[i]), bottom + 16, anchor);
        markup_write(file, axis->text[i]);
        fputs("</text>", file);
    }
}
