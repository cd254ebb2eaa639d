/* SPDX-License-Identifier: BSD-3-Clause */
/* test-diagram.c - pictures of machines: of two boxes one is inside the other or they do not touch, all are in
 * the picture, and large machines are not too much for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "draw/diagram.h"
#include "draw/layout.h"

static const char *amount_of(double value, const char *unit, char text[32])
{
    snprintf(text, 32, "%g%s", value, unit);
    return text;
}

static int is_inside(const struct picture_item *a, const struct picture_item *b)
{
    return a->x >= b->x && a->y >= b->y && a->to_x <= b->to_x && a->to_y <= b->to_y;
}

static int is_beside(const struct picture_item *a, const struct picture_item *b)
{
    return a->to_x <= b->x || b->to_x <= a->x || a->to_y <= b->y || b->to_y <= a->y;
}

static void check_boxes(const struct picture *p, const char *tree)
{
    const struct picture_item all = {.to_x = p->width, .to_y = p->height};
    for (size_t i = 0; i < p->items; i++) {
        const struct picture_item *a = &p->item[i];
        if (a->kind == PICTURE_BOX && !is_inside(a, &all))
            fail_msg("%s: box '%s' is outside of the picture", tree, a->text);
        for (size_t j = 0; a->kind == PICTURE_BOX && j < i; j++) {
            const struct picture_item *b = &p->item[j];
            if (b->kind == PICTURE_BOX && !is_inside(a, b) && !is_beside(a, b))
                fail_msg("%s: box '%s' is over box '%s'", tree, a->text, b->text);
        }
    }
}

static void boxes_are_inside_or_beside(void **state)
{
    static const struct {
        const char *tree;
        int boxes; /* least number */
    } cases[] = {
        {"1", 2},
        {"2 3 4", 33},
        {"node:4 package:2 core:8", 77},
        {"switch:4 switch:7 node:24", 705},
        {"ring:1", 2},
        {"ring:2 core:4", 11},
        {"ring:7 core:40", 288},
        {"ring:1000", 80},
        {"mesh:5", 6},
        {"mesh:40x2 core:2", 241},
        {"torus:4x4x4 node:2 core:4", 705},
        {"torus:2x3x2x3x2", 73},
        {"hypercube:6", 65},
        {"dragonfly:9x8 node:4", 361},
        {"torus:64x64x16 core:16", 500},
        {"mesh:100x100", 1000},
        {"node:3 torus:30x90", 4},
        {"node:10000 package:2 core:24", 51},
        {"switch:100 node:100 core:64", 101},
        {"dragonfly:65x32 node:2", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct draw_view view = {.host_level = -1};
        struct picture picture;
        struct tmap_tree *tree;
        int boxes = 0;
        assert_int_equal(tmap_tree_parse(&tree, cases[i].tree, NULL), TMAP_OK);
        view.tree = tree;
        assert_int_equal(draw_view_open(&view, NULL), 0);
        assert_int_equal(draw_diagram(&picture, &view, amount_of, NULL), 0);
        for (size_t k = 0; k < picture.items; k++)
            boxes += picture.item[k].kind == PICTURE_BOX;
        if (boxes < cases[i].boxes || boxes > 3 * LAYOUT_MOST_BOXES)
            fail_msg("%s: %d boxes, at least %d are expected", cases[i].tree, boxes,
                     cases[i].boxes);
        check_boxes(&picture, cases[i].tree);
        picture_free(&picture);
        draw_view_close(&view);
        tmap_tree_destroy(tree);
    }
}

static void svg_escapes_texts(void **state)
{
    (void)state;
    struct picture picture = {.width = 10, .height = 10};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    picture_text(&picture, 1, 2, 3, "<a&b>\x1b");
    picture_write_svg(file, &picture);
    fclose(file);
    assert_non_null(strstr(text, ">&#60;a&#38;b&#62;?</text>"));
    free(text);
    picture_free(&picture);
}

static void colors_follow_loads(void **state)
{
    (void)state;
    assert_string_equal(draw_color(0), draw_color(-1));
    assert_string_equal(draw_color(1), draw_color(2));
    assert_string_not_equal(draw_color(0), draw_color(1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_are_inside_or_beside),
        cmocka_unit_test(svg_escapes_texts),
        cmocka_unit_test(colors_follow_loads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
