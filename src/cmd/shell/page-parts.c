/* SPDX-License-Identifier: BSD-3-Clause */
/* page-parts.c - see page-parts.h. */
#include "cmd/shell/page-parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/shell/amount.h"
#include "page/markup.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/output-file.h"
#include "profile/gain.h"
#include "profile/profile.h"

/* ---- files ---- */

int page_save(const char *path, page_form_fn *form, const void *context, struct reseat_error *error)
{
    struct made_text made;
    if (!path)
        return 0;
    if (made_text_open(&made, error))
        return -1;
    int rc = form(made.file, context);
    if (rc)
        rc = reseat_fail(error, "%s: %s", path,
                         rc == TEMPLATE_WRONG ? "a part of the page is missing" : "out of memory");
    return made_text_save(&made, path, rc, error);
}

int page_write_json(FILE *file, const void *document)
{
    return document_write_json(file, document);
}

int page_write_result(const struct document *d, const char *json, const char *source,
                      struct reseat_error *error)
{
    int rc = page_save(json, page_write_json, d, error);
    if (json && strcmp(json, "-") == 0)
        return rc;
    int text = d->is_short ? -1 : template_write_text(stdout, source, &d->root, page_formats);
    return text ? reseat_fail(error, text == TEMPLATE_WRONG ? "a part of the text is missing"
                                                            : "out of memory")
                : rc;
}

/* ---- what several pages have ---- */

void page_add_fact(struct document *d, const char *key, const char *value)
{
    document_open(d, NULL, '(');
    document_text(d, NULL, key);
    document_text(d, NULL, value);
    document_close(d);
}

void page_add_headers(struct document *d, const struct reseat_profile *profile)
{
    document_open(d, "headers", '[');
    for (size_t i = 0; i < profile->headers_count; i++)
        page_add_fact(d, profile->headers[i].key, profile->headers[i].value);
    document_close(d);
}

void page_add_count(struct document *d, const char *key, size_t count, const char *noun)
{
    document_print(d, key, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}

void page_add_next(struct document *d, const char *first, char *const *words, const char *meaning)
{
    static char *const none[] = {NULL};
    document_open(d, NULL, '{');
    document_text(d, "first", first);
    document_texts(d, "words", words ? words : none);
    document_markup(d, "meaning", meaning ? meaning : "");
    document_close(d);
}

void page_add_tile(struct document *d, const struct page_tile *tile)
{
    const double *value = tile->value;
    char text[80], change[RESEAT_CHANGE_SIZE];
    const int is_known = value[0] > 0;
    document_open(d, NULL, '{');
    document_text(d, "what", tile->what);
    document_text(d, "change",
                  is_known ? reseat_change_print(value[1] / value[0] - 1, tile->decimals, change)
                           : NULL);
    document_boolean(d, "is_less", tile->is_less);
    document_markup(d, "values", amount_change(value[0], value[1], tile->unit, text));
    document_numbers(d, "bars", 3,
                     (double[]){value[0] > value[1] ? value[0] : value[1], value[0], value[1]});
    document_close(d);
}

const char *page_date(time_t when, char text[32])
{
    struct tm parts;
    if (!gmtime_r(&when, &parts) || !strftime(text, 32, "%Y-%m-%d %H:%M:%S UTC", &parts))
        text[0] = '\0';
    return text;
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

/* ---- formats ---- */

static int page_put_amount(FILE *file, const struct document_value *value, const char *unit)
{
    double number = document_number_of(value);
    char text[32];
    fputs(isnan(number) ? "-" : amount(number, unit, text), file);
    return 0;
}

static int page_put_number(FILE *file, const struct document_value *value)
{
    double number = document_number_of(value);
    char text[32];
    fputs(isnan(number) ? "-" : amount_number(number, text), file);
    return 0;
}

static int page_put_amounts(FILE *file, const struct document_value *value, const char *unit)
{
    double number[2];
    char text[80];
    document_copy_numbers(number, 2, value);
    fputs(amount_change(number[0], number[1], unit, text), file);
    return 0;
}

/* An object with bytes and messages. */
static int page_put_traffic(FILE *file, const struct document_value *value)
{
    double bytes = document_number_of(document_find(value, "bytes", strlen("bytes")));
    double messages = document_number_of(document_find(value, "messages", strlen("messages")));
    char a[32], b[32];
    if (messages > 0)
        fprintf(file, "%s in %s", amount(bytes, "B", a), amount(messages, "", b));
    else
        fputs("none", file);
    return 0;
}

static int page_put_seconds(FILE *file, const struct document_value *value)
{
    double seconds = document_number_of(value);
    char text[32];
    fputs(isnan(seconds) ? "-" : amount_seconds(seconds, text), file);
    return 0;
}

/* `with` so many decimals, as a digit; or "+" and that, as a change. */
static int page_put_fraction(FILE *file, const struct document_value *value, const char *with)
{
    const double number = document_number_of(value);
    const int is_change = *with == '+', decimals = with[is_change] - '0';
    char text[RESEAT_CHANGE_SIZE];
    if (isnan(number))
        putc('-', file);
    else if (is_change)
        fputs(reseat_change_print(number, decimals, text), file);
    else
        fprintf(file, "%.*f %%", decimals, 100 * number);
    return 0;
}

/* What is printable, and may be several lines. */
static int page_put_plain(FILE *file, const struct document_value *value)
{
    if (value->kind != DOCUMENT_TEXT)
        return TEMPLATE_WRONG;
    fputs(value->text, file);
    return 0;
}

static int page_put_lines(FILE *file, const struct document_value *value)
{
    if (value->kind != DOCUMENT_TEXT)
        return TEMPLATE_WRONG;
    markup_write_lines(file, value->text);
    return 0;
}

/* Words as a shell reads them. */
static int page_put_words(FILE *file, const struct document_value *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    for (const struct document_value *word = value->first; memory && word; word = word->next) {
        if (word != value->first)
            putc(' ', memory);
        shell_word_print(memory, word->text);
    }
    int rc = !memory || fclose(memory) ? -1 : 0;
    if (rc == 0)
        markup_write_lines(file, text);
    free(text);
    return rc;
}

/* From one number to another one. */
static int page_put_rise(FILE *file, const struct document_value *value)
{
    double number[2];
    char text[RESEAT_CHANGE_SIZE];
    document_copy_numbers(number, 2, value);
    if (number[0] > 0)
        fputs(reseat_change_print(number[1] / number[0] - 1, 1, text), file);
    else
        fputs(number[1] > 0 ? "-" : "0 %", file); /* there is nothing to compare with */
    return 0;
}

/* Two bars, one above the other, from the number that is as long as there is room, and theirs. */
static int page_put_bars(FILE *file, const struct document_value *value)
{
    static const char *const classes[] = {"before", "after"};
    double number[3];
    struct draw_axis axis;
    document_copy_numbers(number, 3, value);
    axis_fit(&axis, AXIS_LINEAR, 0, number[0], 1, NULL);
    axis.to = number[0] > 0 ? number[0] : 1;
    page_begin_bars(file);
    for (int with = 0; with < 2; with++)
        page_write_bar(file, &axis,
                       &(struct page_bar){classes[with], 0, number[1 + with], 2 + 8.0 * with, 7});
    fputs("</svg>", file);
    return 0;
}

static void page_draw_rail_bar(FILE *file, const char *kind, double y, double value, double most)
{
    double width = most > 0 ? 100 * value / most : 0;
    if (value > 0)
        fprintf(file, "<rect class=\"%s\" y=\"%g\" width=\"%.4g\" height=\"7\" rx=\"0.4\"/>", kind,
                y, width < 0.4 ? 0.4 : width);
}

/* One bar, or two, one above the other, beside a line. */
static int page_put_rails(FILE *file, const struct document_value *value)
{
    double number[3];
    document_copy_numbers(number, 3, value);
    int is_pair = !isnan(number[2]);
    fputs("<svg class=\"bar\" viewBox=\"0 0 100 16\" preserveAspectRatio=\"none\" "
          "aria-hidden=\"true\"><rect class=\"rail\" width=\"0.3\" height=\"16\"/>",
          file);
    page_draw_rail_bar(file, "before", is_pair ? 0.5 : 4.5, number[1], number[0]);
    if (is_pair)
        page_draw_rail_bar(file, "after", 8.5, number[2], number[0]);
    fputs("</svg>", file);
    return 0;
}

/* A cell with the change from one number to another one. */
static int page_put_change(FILE *file, const struct document_value *value)
{
    double number[2];
    char text[RESEAT_CHANGE_SIZE];
    document_copy_numbers(number, 2, value);
    double before = number[0], after = number[1];
    if (isnan(before) || isnan(after) || (before <= 0 && after > 0))
        fputs("<td class=\"number\">-</td>", file); /* there is nothing to compare with */
    else
        fprintf(file, "<td class=\"number%s\">%s</td>", after < before ? " less" : "",
                reseat_change_print(before > 0 ? after / before - 1 : 0, 0, text));
    return 0;
}

/* Range, middle half and median. */
static int page_put_spread(FILE *file, const struct document_value *value)
{
    const struct draw_axis axis = {.from = 0, .to = 1};
    double at[6];
    if (!value->first)
        return 0;
    document_copy_numbers(at, 6, value);
    page_begin_bars(file);
    if (!isnan(at[0]))
        page_write_line(file, &axis, &(struct page_bar){"one", at[0], 0, 0, 20});
    page_write_bar(file, &axis, &(struct page_bar){"range", at[1], at[5], 8, 4});
    page_write_bar(file, &axis, &(struct page_bar){"half", at[2], at[4], 5, 10});
    page_write_line(file, &axis, &(struct page_bar){"mean", at[3], 0, 2, 16});
    fputs("</svg>", file);
    return 0;
}

const struct template_format page_formats[] = {{"B", NULL, page_put_amount, "B"},
                                               {"amount", NULL, page_put_amount, ""},
                                               {"B->", NULL, page_put_amounts, "B"},
                                               {"->", NULL, page_put_amounts, ""},
                                               {"percent", NULL, page_put_fraction, "+1"},
                                               {"share", NULL, page_put_fraction, "1"},
                                               {"whole", NULL, page_put_fraction, "0"},
                                               {"seconds", page_put_seconds, NULL, NULL},
                                               {"lines", page_put_lines, NULL, NULL},
                                               {"shell", page_put_words, NULL, NULL},
                                               {"bars", page_put_bars, NULL, NULL},
                                               {"rails", page_put_rails, NULL, NULL},
                                               {"change", page_put_change, NULL, NULL},
                                               {"spread", page_put_spread, NULL, NULL},
                                               {"rise", page_put_rise, NULL, NULL},
                                               {"plain", page_put_plain, NULL, NULL},
                                               {"traffic", page_put_traffic, NULL, NULL},
                                               {"number", page_put_number, NULL, NULL},
                                               {NULL, NULL, NULL, NULL}};
