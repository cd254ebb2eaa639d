/* SPDX-License-Identifier: BSD-3-Clause */
/* amount.c - see amount.h. */
#include "cmd/shell/amount.h"

#include <stdio.h>
#include <string.h>

const char *amount_seconds(double seconds, char text[32])
{
    static const char *const units[] = {"s", "ms", "us", "ns"};
    int i = 0;
    while (seconds > 0 && seconds < 0.9995 && i < 3) {
        seconds *= 1000;
        i++;
    }
    snprintf(text, 32, seconds < 99.95 ? "%.3g %s" : "%.0f %s", seconds, units[i]);
    return text;
}

const char *amount(double value, const char *unit, char text[32])
{
    static const char *const prefix[] = {"", "k", "M", "G", "T", "P"};
    int i = 0;
    if (strcmp(unit, "ns") == 0)
        return amount_seconds(1e-9 * value, text);
    while (value >= 1000 && i < 5) {
        value /= 1000;
        i++;
    }
    int is_word = strlen(unit) > 1; /* messages: the prefix stands apart */
    snprintf(text, 32, i ? "%.1f%s%s%s%s" : "%.0f%s%s%s%s", value, *prefix[i] || *unit ? " " : "",
             prefix[i], *prefix[i] && is_word ? " " : "", unit);
    return text;
}

const char *amount_change(double before, double after, const char *unit, char text[80])
{
    char a[32], b[32];
    if (before == after)
        snprintf(text, 80, "%s", amount(before, unit, a));
    else
        snprintf(text, 80, "%s -> %s", amount(before, unit, a), amount(after, unit, b));
    return text;
}
