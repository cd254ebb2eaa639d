/* SPDX-License-Identifier: BSD-3-Clause */
/* doctor-findings.c - see doctor.h: the lines of the text appear as things are found, since a
 * launcher may take long; --json gets all of them at the end. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cmd/doctor.h"
#include "cmd/shell/page-parts.h"
#include "text/printable.h"

static struct doctor_result {
    struct document document;
    const char *json; /* NULL: none */
    int troubles;
    int is_open; /* a finding, so that output can be added to it */
} doctor;

struct document *doctor_begin(const char *json)
{
    doctor = (struct doctor_result){.json = json};
    document_init(&doctor.document);
    document_integer(&doctor.document, "reseat_doctor", 1);
    return &doctor.document;
}

void doctor_print(const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (doctor.json && strcmp(doctor.json, "-") == 0)
        return;
    printable_print(stdout, line);
    putchar('\n');
}

static void doctor_close_finding(void)
{
    if (doctor.is_open)
        document_close(&doctor.document);
    doctor.is_open = 0;
}

void doctor_find(enum doctor_kind kind, const char *subject, const char *text)
{
    static const char *const marks[] = {"!!", "ok", "--"};
    static const char *const names[] = {"trouble", "ok", "remark"};
    struct document *d = &doctor.document;
    if (subject)
        doctor_print("  %s  %-24s %s", marks[kind], subject, text);
    else
        doctor_print("  %s  %s", marks[kind], text);
    doctor.troubles += kind == IN_THE_WAY;
    doctor_close_finding();
    document_open(d, NULL, '{');
    doctor.is_open = 1;
    document_text(d, "kind", names[kind]);
    document_text(d, "subject", subject);
    document_text(d, "text", text);
}

void doctor_say(enum doctor_kind kind, const char *format, ...)
{
    char line[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    doctor_find(kind, NULL, line);
}

void doctor_show_output(FILE *file)
{
    char line[512];
    rewind(file);
    document_open(&doctor.document, "output", '[');
    for (int i = 0; i < 10 && fgets(line, sizeof line, file); i++) {
        line[strcspn(line, "\r\n")] = '\0';
        doctor_print("        %s", line);
        document_text(&doctor.document, NULL, line);
    }
    document_close(&doctor.document);
}

int doctor_conclude(int is_without_gain, struct reseat_error *error)
{
    int troubles = doctor.troubles;
    if (troubles)
        doctor_print("%d thing%s in the way", troubles, troubles == 1 ? "" : "s");
    else
        doctor_print("nothing is in the way%s",
                     is_without_gain ? ", and there is nothing to gain: the launch order is good"
                                     : "");
    doctor_close_finding();
    document_close(&doctor.document);
    document_integer(&doctor.document, "troubles", (uint64_t)troubles);
    document_boolean(&doctor.document, "nothing_to_gain", is_without_gain);
    int rc = page_save(doctor.json, page_write_json, &doctor.document, error);
    document_free(&doctor.document);
    return rc ? -1 : troubles;
}
