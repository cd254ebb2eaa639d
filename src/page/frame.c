/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - see frame.h: a document of its own, in which the parts of the page are drawings. */
#include "page/frame.h"

#include "config.h"
#include "page/sources.h"
#include "page/template.h"

/* A part of the page, with the values of the page. */
struct frame_part {
    const struct frame *frame;
    const char *source;
};

static int frame_draw_part(FILE *file, const void *context)
{
    const struct frame_part *part = context;
    return template_write(file, part->source, part->frame->root, part->frame->formats);
}

/* ---- styles and scripts: those of all pages come first ---- */

static void frame_add_source(struct document *document, const struct frame_source *source)
{
    document_open(document, NULL, '{');
    document_markup(document, "text", source->text);
    document_markup(document, "digest", source->digest);
    document_close(document);
}

static void frame_add_sources(struct document *document, const char *key,
                              const struct frame_source *all, const struct frame_source *more)
{
    document_open(document, key, '[');
    frame_add_source(document, all);
    for (int i = 0; i < FRAME_SOURCES && more[i].text; i++)
        frame_add_source(document, &more[i]);
    document_close(document);
}

/* ---- all ---- */

int frame_write(FILE *file, const struct frame *frame)
{
    static const struct frame_source style = FRAME_SOURCE(page_css), script = FRAME_SOURCE(page_js);
    const struct frame_part part[] = {{frame, frame->title},
                                      {frame, frame->heading},
                                      {frame, frame->facts},
                                      {frame, frame->body}};
    static const char *const names[] = {"title", "heading", "facts", "body"};
    struct document document;
    document_init(&document);
    document_text(&document, "version", PACKAGE_VERSION);
    document_text(&document, "kind", frame->kind);
    frame_add_sources(&document, "styles", &style, frame->style);
    frame_add_sources(&document, "scripts", &script, frame->script);
    for (int i = 0; i < 4; i++)
        document_drawing(&document, names[i], frame_draw_part, &part[i]);
    int rc = document.is_short ? -1 : template_write(file, page_frame_html, &document.root, NULL);
    document_free(&document);
    return rc;
}
