/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - decimal numbers from text: no locale, no sign, no overflow. */
#ifndef RESEAT_NUMBER_H
#define RESEAT_NUMBER_H

#include <stdint.h>

/* Read a number up to `most` at *text, which is moved past it. 0, or -1 with nothing changed. */
static inline int read_number(const char **text, uint64_t most, uint64_t *result)
{
    const char *p = *text;
    uint64_t value = 0;
    if (*p < '0' || *p > '9')
        return -1;
    for (; *p >= '0' && *p <= '9'; p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (digit > most || value > (most - digit) / 10)
            return -1;
        value = 10 * value + digit;
    }
    *text = p;
    *result = value;
    return 0;
}

static inline int read_number32(const char **text, int32_t *result)
{
    uint64_t value;
    if (read_number(text, INT32_MAX, &value))
        return -1;
    *result = (int32_t)value;
    return 0;
}

#endif
