/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * status.c - statuses as text, and the version.
 */
#include "treematch/support/support.h"

const char *tmap_status_text(enum tmap_status status)
{
#define TEXT(name, text) text,
    static const char *const texts[] = {TMAP_STATUS_LIST(TEXT)};
#undef TEXT
    const int count = sizeof texts / sizeof *texts;
    int number = (int)status;
    return number >= 0 && number < count ? texts[number] : "unknown status";
}

int tmap_version(void)
{
    return TMAP_VERSION;
}
