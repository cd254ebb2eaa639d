/* SPDX-License-Identifier: BSD-3-Clause */
/* next.c - see next.h. */
#include "cmd/run/next.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/job/job-options.h"
#include "cmd/shell/shell-word.h"

enum { NEXT_LONGEST = 4000 }; /* bytes: of more nobody would want to see a line */

static int next_is_wanted(const struct variables *v)
{
    return isatty(STDERR_FILENO) && strcmp(job_options_setting(v, "RESEAT_VERBOSE"), "0") != 0;
}

/* Write the line: what it is about, and the words after the name of the command, which is called as it was now. */
static void next_write(const char *about, char *const *words)
{
    const char *self = program_invocation_name;
    char *line = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&line, &size);
    if (!memory)
        return;
    fputs(about, memory);
    shell_word_print(memory, strchr(self, '/') ? self : "reseat");
    for (; *words; words++) {
        putc(' ', memory);
        shell_word_print(memory, *words);
    }
    putc('\n', memory);
    if (fclose(memory) == 0 && size <= NEXT_LONGEST)
        fputs(line, stderr);
    free(line);
}

void next_say_report(const struct variables *v, const char *profile)
{
    char *plain[] = {(char *)"report", (char *)profile, NULL};
    char *after_options[] = {(char *)"report", (char *)"--", (char *)profile, NULL};
    if (next_is_wanted(v))
        next_write("reseat profile: next: ", *profile == '-' ? after_options : plain);
}

void next_say_verify(const struct variables *v, char **words)
{
    char *own = words[0];
    if (!next_is_wanted(v))
        return;
    words[0] = (char *)"verify";
    next_write("reseat run: to measure the gain: ", words);
    words[0] = own;
}
