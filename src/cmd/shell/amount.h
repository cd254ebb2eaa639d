/* SPDX-License-Identifier: BSD-3-Clause */
/* amount.h - amounts for a person: "65.3 MB". */
#ifndef RESEAT_AMOUNT_H
#define RESEAT_AMOUNT_H

#include "profile/profile.h"

/* An amount with a prefix, of B, messages, ns (as below), or nothing (""); returns `text`. */
const char *amount(double value, const char *unit, char text[32]);

/* The unit of what pairs have by a metric, as for `amount`. */
const char *amount_unit(enum reseat_metric metric);

/* A number that is compared with others, as a cost: five digits, "31.462 G"; returns `text`. */
const char *amount_number(double value, char text[32]);

/* "1.25 s", "40 us"; returns `text`. */
const char *amount_seconds(double seconds, char text[32]);

/* "65.3 MB -> 49.1 MB", or one amount when nothing changes; returns `text`. */
const char *amount_change(double before, double after, const char *unit, char text[80]);

#endif
