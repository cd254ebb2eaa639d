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

static const char *const prefix[] = {"", "k", "M", "G", "T", "P", "E"};
enum { AMOUNT_PREFIXES = sizeof prefix / sizeof prefix[0] };

/* Divide *value until it is below `end`, as far as there are prefixes. Returns which one it has. */
static int amount_scale(double *value, double end)
{
    int i = 0;
    for (; *value >= end && i + 1 < AMOUNT_PREFIXES; i++)
        *value /= 1000;
    return i;
}

const char *amount_number(double value, char text[32])
{
    int i = amount_scale(&value, 999.995);
    snprintf(text, 32, i ? "%#.5g %s" : "%.5g%s", value, prefix[i]);
    return text;
}

const char *amount(double value, const char *unit, char text[32])
{
    if (strcmp(unit, "ns") == 0)
        return amount_seconds(1e-9 * value, text);
    int i = amount_scale(&value, 1000);
    int is_word = strlen(unit) > 1; /* messages: the prefix stands apart */
    snprintf(text, 32, i ? "%.1f%s%s%s%s" : "%.0f%s%s%s%s", value, *prefix[i] || *unit ? " " : "",
             prefix[i], *prefix[i] && is_word ? " " : "", unit);
    return text;
}

const char *amount_unit(enum reseat_metric metric)
{
    return metric == RESEAT_METRIC_MSG ? "messages" : metric == RESEAT_METRIC_TIME ? "ns" : "B";
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
