/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.c - statuses as text.
 */
#include "treematch/internal.h"

const char *tmap_status_text(enum tmap_status status)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {TMAP_STATUS_LIST(TEXT)};
#undef TEXT
    int number = (int)status;
    return number >= 0 && number < TMAP_STATUS_COUNT ? texts[number] : "unknown status";
}
