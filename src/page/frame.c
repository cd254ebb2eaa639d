/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - see frame.h. */
#include "page/frame.h"

#include "config.h"
#include "page/markup.h"
#include "page/sources.h"

/* What the parts of the frame get. */
struct frame_context {
    const struct frame *frame;
    int *is_wrong; /* a template of the page is */
};

/* ---- styles and scripts: those of all pages come first ---- */

static const struct frame_source frame_style = FRAME_SOURCE(page_css);
static const struct frame_source frame_script = FRAME_SOURCE(page_js);

static void frame_write_sources(FILE *file, const char *element, const struct frame_source *all,
                                const struct frame_source *more)
{
    fprintf(file, "<%s>%s</%s>\n", element, all->text, element);
    for (int i = 0; i < FRAME_SOURCES && more[i].text; i++)
        fprintf(file, "<%s>%s</%s>\n", element, more[i].text, element);
}

static void frame_write_digests(FILE *file, const struct frame_source *all,
                                const struct frame_source *more)
{
    fprintf(file, " '%s'", all->digest);
    for (int i = 0; i < FRAME_SOURCES && more[i].text; i++)
        fprintf(file, " '%s'", more[i].digest);
}

static void frame_styles(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_sources(file, "style", &frame_style, c->frame->style);
}

static void frame_style_digests(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_digests(file, &frame_style, c->frame->style);
}

static void frame_scripts(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_sources(file, "script", &frame_script, c->frame->script);
}

static void frame_script_digests(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_digests(file, &frame_script, c->frame->script);
}

/* ---- what differs from page to page ---- */

static void frame_version(FILE *file, const void *context)
{
    (void)context;
    markup_write(file, PACKAGE_VERSION);
}

static void frame_kind(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    markup_write(file, c->frame->kind);
}

static void frame_write_part(FILE *file, const struct frame_context *c, const char *source)
{
    const struct frame *frame = c->frame;
    *c->is_wrong |= template_write(file, source, frame->part, frame->parts, frame->context) != 0;
}

static void frame_title(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_part(file, c, c->frame->title);
}

static void frame_heading(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_part(file, c, c->frame->heading);
}

static void frame_facts(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_part(file, c, c->frame->facts);
}

static void frame_body(FILE *file, const void *context)
{
    const struct frame_context *c = context;
    frame_write_part(file, c, c->frame->body);
}

/* ---- all ---- */

static const struct template_part frame_parts[] = {
    {"version", frame_version, NULL},
    {"style_digests", frame_style_digests, NULL},
    {"script_digests", frame_script_digests, NULL},
    {"styles", frame_styles, NULL},
    {"scripts", frame_scripts, NULL},
    {"kind", frame_kind, NULL},
    {"title", frame_title, NULL},
    {"heading", frame_heading, NULL},
    {"facts", frame_facts, NULL},
    {"body", frame_body, NULL},
};

int frame_write(FILE *file, const struct frame *frame)
{
    int is_wrong = 0;
    const struct frame_context context = {frame, &is_wrong};
    int rc = template_write(file, page_frame_html, frame_parts,
                            sizeof frame_parts / sizeof frame_parts[0], &context);
    return rc || is_wrong ? -1 : 0;
}
