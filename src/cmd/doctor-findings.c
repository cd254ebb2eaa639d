/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor-findings.c - see doctor.h: its lines, and how many of them are in the way. */
#include <stdarg.h>
#include <stdio.h>

#include "cmd/doctor.h"
#include "text/printable.h"

static int troubles;

void doctor_say(int good, const char *format, ...)
{
    char line[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    printf(good == WELL ? "  ok  " : good ? "  --  " : "  !!  ");
    printable_print(stdout, line);
    printf("\n");
    troubles += good == IN_THE_WAY;
}

int doctor_troubles(void)
{
    return troubles;
}
