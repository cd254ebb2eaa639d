/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * page-parts.h - what pages of several commands have: lists of facts and tiles, formats of values,
 * and charts of bars that are as wide as there is room, while their texts keep their size: places
 * from left to right are percents of the width.
 *
 *   struct draw_axis axis;
 *   struct page_bar bar = {.class = "after", .from = 0, .to = seconds, .y = 3, .height = 7};
 *   axis_fit(&axis, AXIS_LINEAR, 0, most, 6, amount_seconds);
 *   page_begin_bars(file);                               in a cell of a table
 *   page_write_bar(file, &axis, &bar);
 *   fputs("</svg>", file);
 *
 * The caller checks `file` for write errors.
 */
#ifndef RESEAT_PAGE_PARTS_H
#define RESEAT_PAGE_PARTS_H

#include <stdio.h>
#include <time.h>

#include "draw/axis.h"
#include "profile/profile.h"
#include "page/document.h"
#include "page/template.h"
#include "text/error.h"

/* ---- files ---- */

/* Writes a page or JSON of `context`. 0, -1: out of memory, or TEMPLATE_WRONG. */
typedef int page_form_fn(FILE *file, const void *context);

/* Write a file completely or not at all (save_text); `path` NULL: it is not requested. 0, or -1
 * with *error. */
int page_save(const char *path, page_form_fn *form, const void *context,
              struct reseat_error *error);

/* The JSON of a struct document; a page_form_fn. */
int page_write_json(FILE *file, const void *document);

/* Write a result: JSON to `json` (NULL: none), and to standard output, unless that has the JSON, a
 * text or table by its source (template_write_text). 0, or -1 with *error. */
int page_write_result(const struct document *document, const char *json, const char *source,
                      struct reseat_error *error);

/* ---- what several pages have ---- */

/* Key and value in a list of facts; {{#list}}<dt>{{0}}</dt><dd>{{1}}</dd>{{/list}} shows it. */
void page_add_fact(struct document *document, const char *key, const char *value);

/* The headers of a profile: "headers", a list of facts. */
void page_add_headers(struct document *document, const struct reseat_profile *profile);

/* "1 rank", "2 ranks" */
void page_add_count(struct document *document, const char *key, size_t count, const char *noun);

/* A command to type next in a list of these: `first`, text, and words that follow, ended by NULL;
 * and a sentence below, which is markup. Each may be NULL. */
void page_add_next(struct document *document, const char *first, char *const *words,
                   const char *meaning);

/* "2026-11-23 03:50:00 UTC" */
const char *page_date(time_t when, char text[32]);

/* ---- tiles ---- */

/* A large figure: what changes, by how much, and from what to what. */
struct page_tile {
    const char *what;
    double value[2];
    const char *unit; /* as for amount */
    int decimals;     /* of the change in percent */
    int is_less;      /* shown as a gain */
};

/* In a list of tiles: what, change (null: not known), is_less, values (markup), and bars. */
void page_add_tile(struct document *document, const struct page_tile *tile);

/* ---- formats of values (template.h) ---- */

/* B, amount (of messages), number (of a cost), seconds: with their unit and prefix; B->, ->: two
 * numbers, or the one that they are; traffic: bytes and messages of an object; plain: a text as
 * it is; percent, share, whole: a fraction as "+1.5 %", "1.5 %", "2 %"; rise: two numbers as the
 * change from one to the other; lines: a text with <br>; shell: words as a shell reads them;
 * bars: two numbers as bars, after the one that is as long as there is room; rails: the same of
 * one number or two, beside a line; change: a cell with the change from one number to another
 * one; spread: from 0 to 1, where a line is (null: none), and the least, lower quartile, median,
 * upper quartile, most. */
extern const struct template_format page_formats[];

/* ---- charts ---- */

/* What is drawn from `from` to `to` on an axis, from `y` on downwards in pixels. */
struct page_bar {
    const char *class;
    double from, to;
    double y, height;
};

/* A chart of so many pixels in height, with what it says to those who cannot see it; or, with
 * neither, one in a cell of a table, which has the numbers. */
void page_begin_chart(FILE *file, int height, const char *label);
void page_begin_bars(FILE *file);

void page_write_bar(FILE *file, const struct draw_axis *axis, const struct page_bar *bar);

/* A line from top to bottom at `bar->from`. */
void page_write_line(FILE *file, const struct draw_axis *axis, const struct page_bar *bar);

/* A dot at `bar->from`, `bar->height` in diameter. */
void page_write_dot(FILE *file, const struct draw_axis *axis, const struct page_bar *bar);

/* Thin lines at the ticks of an axis, from `top` to `bottom`, and below them what they mean. */
void page_write_ticks(FILE *file, const struct draw_axis *axis, double top, double bottom);

#endif
