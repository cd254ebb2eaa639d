/* SPDX-License-Identifier: BSD-3-Clause */
/* amount.h - amounts for a person: "65.3 MB". */
#ifndef RESEAT_AMOUNT_H
#define RESEAT_AMOUNT_H

/* An amount with a prefix, of B, messages, ns (as below), or nothing (""); returns `text`. */
const char *amount(double value, const char *unit, char text[32]);

/* "1.25 s", "40 us"; returns `text`. */
const char *amount_seconds(double seconds, char text[32]);

/* "65.3 MB -> 49.1 MB", or one amount when nothing changes; returns `text`. */
const char *amount_change(double before, double after, const char *unit, char text[80]);

#endif
