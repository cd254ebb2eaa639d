/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz-layout.c - any text is a layout, or an error with one line that names where; a layout puts roles on
 * slots that there are, and on none too many. The first three bytes choose the machine, the number of roles,
 * and how many units a role takes; the others are the text, bytes from 128 on its usual pieces.
 */
#include <string.h>

#include "fuzz/fuzz.h"
#include "treematch/tmap.h"

enum { MOST_ROLES = 64, LONGEST = 200 };

static const char *const machines[] = {"node:2 package:2 core:3 pu:2",
                                       "switch:2 switch:2 node:2 core:2",
                                       "torus:3x2x2 core:2",
                                       "mesh:2x2x2x2x2 node:1 l3:2",
                                       "group:2 die:2 numa:2 l2:1 l1:2 core:1",
                                       "3 2",
                                       "core:1"};

/* A text of letters, lists and what is in the bytes. */
static void make_text(char text[LONGEST + 8], const uint8_t *data, size_t size)
{
    static const char *const pieces[] = {"n",   "s",     "c",    "h",       "N", "L1", "L2", "L3",
                                         "S",   "S2",    "X",    "Y",       "Z", "A",  "B",  "T",
                                         ":0:", ":1-0:", ":2,0", ":3-1,0:", "d", "g",  "b",  ":"};
    size_t length = 0;
    for (size_t i = 0; i < size && length < LONGEST; i++) {
        const char *piece = pieces[data[i] % (sizeof pieces / sizeof pieces[0])];
        if (data[i] < 128) {
            text[length++] = (char)data[i];
            continue;
        }
        strcpy(text + length, piece);
        length += strlen(piece);
    }
    text[length] = '\0';
}

static void check_mapping(const struct tmap_tree *tree, const struct tmap_layout *layout,
                          int32_t roles, const int32_t *slot_of)
{
    int32_t used[MOST_ROLES * 2] = {0};
    int32_t slots = tmap_tree_slots(tree);
    require(slots <= MOST_ROLES * 2);
    for (int32_t role = 0; role < roles; role++) {
        require(slot_of[role] >= 0 && slot_of[role] < slots);
        used[slot_of[role]]++;
        require(layout->oversubscribe ||
                used[slot_of[role]] <= tmap_tree_slot_capacity(tree, slot_of[role]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[LONGEST + 8];
    int32_t slot_of[MOST_ROLES + 1];
    struct tmap_tree *tree = NULL;
    struct tmap_error error = {""};
    if (size < 3 || size > LONGEST)
        return 0;
    const char *machine = machines[data[0] % (sizeof machines / sizeof machines[0])];
    int32_t roles = data[1] % (MOST_ROLES + 1);
    require(tmap_tree_parse(&tree, machine, NULL) == TMAP_OK);
    make_text(text, data + 3, size - 3);
    const struct tmap_layout layout = {.size = sizeof layout,
                                       .text = text,
                                       .oversubscribe = data[2] & 1,
                                       .width_level = tmap_tree_depth(tree),
                                       .width = data[2] >> 1 & 3};
    memset(slot_of, 0x55, sizeof slot_of);
    enum tmap_status status = tmap_mapping_lay_out(tree, &layout, roles, slot_of, &error);
    require(slot_of[roles] == 0x55555555);
    require(status == TMAP_OK || (error.text[0] && !strchr(error.text, '\n')));
    require(status == TMAP_OK || roles == 0 || slot_of[0] == 0x55555555);
    for (const char *c = error.text; *c; c++)
        require(*c >= ' ' && *c <= '~');
    if (status == TMAP_OK)
        check_mapping(tree, &layout, roles, slot_of);
    require(tmap_layout_find_level(tree, text) <= tmap_tree_depth(tree));
    tmap_tree_destroy(tree);
    return 0;
}
