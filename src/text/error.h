/* SPDX-License-Identifier: BSD-3-Clause */
/* error.h - one line for a person about what went wrong. */
#ifndef RESEAT_ERROR_H
#define RESEAT_ERROR_H

struct reseat_error {
    char text[512];
};

/*
 * Fill `error` (may be NULL) like printf and return -1, so that a failure is one statement. Input
 * may contain anything: the text is made one line without control characters (printable.h).
 */
int reseat_fail(struct reseat_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
