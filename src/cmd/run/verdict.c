/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c - see verdict.h. A number and a line. */
#include "cmd/run/verdict.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "text/lines.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/output-file.h"

enum { VERDICT_LONGEST = 600 };

int verdict_path(const char *profile, char path[PATH_MAX])
{
    return snprintf(path, PATH_MAX, "%s.verdict", profile) < PATH_MAX ? 0 : -1;
}

/* With scope graph an order can change results that it does not change otherwise: written as -3. */
enum { VERDICT_CHANGES_BY_GRAPH = -3 };

int keep_verdict(const char *profile, int verdict, int by_graph, const char *text)
{
    struct reseat_error error;
    char path[PATH_MAX], line[600];
    if (verdict == VERDICT_CHANGES && by_graph)
        verdict = VERDICT_CHANGES_BY_GRAPH;
    int size = snprintf(line, sizeof line, "%d %s\n", verdict, text);
    int status = verdict_path(profile, path)
                     ? 0
                     : cli_status(save_text(path, line, (size_t)size, &error), &error);
    return status ? cli_fail(status, "the verdict is not kept for later runs") : 0;
}

/* Parse a line `-1 text`, which may have come with the profile from an unknown source. */
static int parse_verdict(struct lines *lines, char text[512])
{
    static const char *const numbers[] = {"-3 ", "-2 ", "-1 ", "0 ", "1 "};
    int more = lines_next(lines);
    for (int i = 0; more > 0 && i < 5; i++) {
        size_t length = strlen(numbers[i]);
        if (strncmp(lines->line, numbers[i], length) == 0) {
            snprintf(text, 512, "%s", lines->line + length);
            return i - 3;
        }
    }
    if (more > 0)
        lines_fail(lines, "a line with -3 to 1 and a sentence is expected");
    if (more == 0)
        reseat_fail(lines->error, "%s: is empty", lines->path);
    snprintf(text, 512, "%s", lines->error->text);
    return VERDICT_UNREAD;
}

int read_verdict(const char *profile, int by_graph, char text[512])
{
    char path[PATH_MAX];
    struct stat of_profile, of_verdict;
    struct reseat_error error;
    struct lines lines;
    if (verdict_path(profile, path) || stat(profile, &of_profile) || stat(path, &of_verdict) ||
        of_verdict.st_mtime < of_profile.st_mtime || !S_ISREG(of_verdict.st_mode))
        return 0;
    int verdict = VERDICT_UNREAD;
    if (lines_open(&lines, path, &error) == 0) {
        lines.most = VERDICT_LONGEST;
        verdict = parse_verdict(&lines, text);
    } else {
        snprintf(text, 512, "%s", error.text);
    }
    lines_close(&lines);
    if (verdict == VERDICT_CHANGES_BY_GRAPH)
        return by_graph ? VERDICT_CHANGES : 0;
    return verdict;
}
