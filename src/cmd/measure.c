/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * measure.c - `reseat measure`: how long messages take on the machine that a job gets, as a file
 * (timings/timings.h). A program of ours (programs/measure-program.c), started through the user's
 * launcher, measures and prints the file; it is read, completed and written here, so that it is
 * complete or not there.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cmd/job/child.h"
#include "cmd/shell/options.h"
#include "cmd/place/program.h"
#include "cmd/shell/terminal.h"
#include "cmd/job/variables.h"
#include "timings/timings.h"
#include "programs/report-lines.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/shell-word.h"
#include "cmd/shell/output-file.h"
#include "cmd/shell/page-parts.h"
#include "cmd/commands.h"
#include "page/sources.h"

#define MEASURE_SECONDS 25.0
enum { MEASURE_LONGEST_LAUNCHER = 8192 }; /* bytes; with escapes, still a line that can be read */

struct measure_command {
    const char *output, *json, *mpi;
    double seconds;
};

/* ---- the file ---- */

/* Whether a file has contents that are not timings. */
static int measure_is_other_file(const char *path)
{
    char line[64] = "";
    FILE *file = fopen(path, "re");
    int is_other = file && fgets(line, sizeof line, file) && !reseat_timings_begins(line);
    if (file)
        fclose(file);
    return is_other;
}

/* Before the job is started, see that the file can be written. 0, or a status. */
static int measure_check_output(const char *path)
{
    struct reseat_error error;
    struct stat status;
    if (cli_status(check_output_name(path, NULL, 0, &error), &error))
        return EXIT_USAGE;
    if (!path || strcmp(path, "-") == 0)
        return 0;
    if (check_output_folder(path, &error))
        return cli_fail(EXIT_TROUBLE, "%s; the job is not started", error.text);
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && measure_is_other_file(path)
               ? cli_fail(EXIT_TROUBLE,
                          "%s: exists and is not a file of timings; the job is not started", path)
               : 0;
}

/* The command line of the job, or how it begins, as a header. 0, or -1 with *error. */
static int measure_add_launcher(struct reseat_timings *timings, const struct program *program,
                                struct reseat_error *error)
{
    struct made_text line;
    if (made_text_open(&line, error))
        return -1;
    for (int i = 0; program->words[i] && program->words[i] != program->path &&
                    program->words[i + 1] != program->preload;
         i++) {
        fputs(i ? " " : "", line.file);
        shell_word_print(line.file, program->words[i]);
    }
    int rc = made_text_end(&line, 0, error);
    if (rc == 0 && line.size > MEASURE_LONGEST_LAUNCHER)
        strcpy(line.text + MEASURE_LONGEST_LAUNCHER - 3, "...");
    if (rc == 0)
        rc = reseat_timings_add_header(timings, "launcher", line.text, error);
    free(line.text);
    return rc;
}

static int measure_complete(struct reseat_timings *timings, const struct program *program,
                            struct reseat_error *error)
{
    char date[32];
    return reseat_timings_add_header(timings, "date", page_date(time(NULL), date), error) ||
                   measure_add_launcher(timings, program, error)
               ? -1
               : 0;
}

static int measure_save(const struct reseat_timings *timings, const char *output)
{
    struct reseat_error error;
    struct made_text made;
    int rc = made_text_open(&made, &error);
    if (rc == 0) {
        reseat_timings_write(made.file, timings);
        rc = made_text_save(&made, output, 0, &error);
    }
    return cli_status(rc, &error);
}

/* ---- the result ---- */

struct measure_said {
    char error[512];
    FILE *file;
    int is_complete;
};

/* Take the file out of what the job has printed. 0, or -1 with errno. */
static int measure_read_said(const struct program *program, FILE *said, struct measure_said *result)
{
    char room[2048], *line;
    result->file = open_answer();
    if (!result->file)
        return -1;
    while ((line = program_next_line(program, said, room, sizeof room))) {
        if (strncmp(line, "file ", 5) == 0)
            fprintf(result->file, "%s\n", line + 5);
        if (strncmp(line, "error ", 6) == 0)
            snprintf(result->error, sizeof result->error, "%s", line + 6);
        result->is_complete |= strcmp(line, "end") == 0;
    }
    return fflush(result->file);
}

/* What small messages take when many ranks send at once. */
static void measure_add_exchanges(struct document *d, const struct timings_level *level)
{
    static const char *const among[] = {"one pair", "a node", "all"};
    document_open(d, "exchanges", '[');
    for (int scope = 0; scope < TIMINGS_SCOPES; scope++) {
        struct timings_effort effort = reseat_timings_effort(level, (enum timings_scope)scope);
        if (!effort.ranks)
            continue;
        document_open(d, NULL, '{');
        document_text(d, "among", among[scope]);
        document_integer(d, "ranks", (uint64_t)effort.ranks);
        document_number(d, "seconds", effort.wait + effort.message);
        document_number(d, "further_message_seconds", effort.message);
        document_number(d, "@microseconds", 1e6 * (effort.wait + effort.message));
        document_number(d, "@further_microseconds", 1e6 * effort.message);
        document_close(d);
    }
    document_close(d);
}

/* Of each level the latency, and the bandwidth of its largest message. */
static void measure_add_levels(struct document *d, const struct reseat_timings *timings)
{
    document_open(d, "levels", '[');
    for (size_t i = 0; i < timings->levels; i++) {
        const struct timings_level *level = &timings->level[i];
        const struct timings_point *last = &level->point[level->points - 1];
        document_open(d, NULL, '{');
        document_text(d, "kind", level->kind);
        document_number(d, "latency_seconds", level->point[0].seconds);
        document_number(d, "bytes_per_second", (double)last->bytes / last->seconds);
        document_integer(d, "largest_message", last->bytes);
        document_number(d, "hop_seconds", level->hop_seconds > 0 ? level->hop_seconds : NAN);
        document_number(d, "@microseconds", 1e6 * level->point[0].seconds);
        document_number(d, "@hop_microseconds", 1e6 * level->hop_seconds);
        measure_add_exchanges(d, level);
        document_close(d);
    }
    document_close(d);
}

static void measure_name_resource(char *name, size_t size, const struct reseat_timings *timings,
                                  enum timings_resource resource)
{
    static const char *const names[] = {"network card of a node, out", "network card, in",
                                        "network card, both at once"};
    static const char *const ways[] = {"out", "in", "both"};
    if (resource == TIMINGS_MEMORY)
        snprintf(name, size, "memory of a package");
    else if (resource >= TIMINGS_NEAR_OUT)
        snprintf(name, size, "one near a %s, %s", timings->near, ways[resource - TIMINGS_NEAR_OUT]);
    else
        snprintf(name, size, "%s", names[resource]);
}

static void measure_add_rates(struct document *d, const struct reseat_timings *timings)
{
    char name[64];
    document_open(d, "rates", '[');
    for (int r = 0; r < TIMINGS_RESOURCES; r++)
        for (size_t i = 0; i < timings->rates[r]; i++) {
            const struct timings_rate *each = &timings->rate[r][i];
            measure_name_resource(name, sizeof name, timings, (enum timings_resource)r);
            document_open(d, NULL, '{');
            document_text(d, "resource", name);
            document_integer(d, "users", (uint64_t)each->users);
            document_text(d, "of", r == TIMINGS_MEMORY ? "pairs" : "ranks");
            document_number(d, "bytes_per_second", each->bytes_per_second);
            document_close(d);
        }
    document_close(d);
}

/* doc/json.md says what the members mean. */
static void measure_fill(struct document *d, const struct reseat_timings *timings)
{
    document_integer(d, "reseat_measure", 1);
    measure_add_levels(d, timings);
    measure_add_rates(d, timings);
    document_boolean(d, "oversubscribed", reseat_timings_header(timings, "oversubscribed") != NULL);
}

/* The JSON, and the text unless standard output has the JSON or the timings. */
static int measure_show(const struct reseat_timings *timings, const struct measure_command *c)
{
    struct reseat_error error;
    struct document document;
    int is_text = c->output && strcmp(c->output, "-") != 0;
    document_init(&document);
    measure_fill(&document, timings);
    int rc = is_text ? page_write_result(&document, c->json, page_measure_txt, &error)
                     : page_save(c->json, page_write_json, &document, &error);
    document_free(&document);
    return cli_status(rc, &error);
}

/* Read, complete, write and show what was measured. */
static int measure_conclude(const struct measure_command *c, const struct program *program,
                            FILE *file)
{
    char path[64];
    struct reseat_timings *timings = NULL;
    struct reseat_error error;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    if (reseat_timings_read(&timings, path, &error) || measure_complete(timings, program, &error)) {
        reseat_timings_destroy(timings);
        return cli_fail(EXIT_TROUBLE, "what was measured cannot be used: %s", error.text);
    }
    int status = measure_save(timings, c->output);
    if (!status)
        status = measure_show(timings, c);
    reseat_timings_destroy(timings);
    return status;
}

static int measure_run(const struct measure_command *c, const struct program *program)
{
    struct measure_said result = {"", NULL, 0};
    FILE *said = NULL;
    int ended = program_run(program, &said), status = 0;
    int rc = ended == -1 || measure_read_said(program, said, &result);
    int why = errno;
    if (!result.is_complete && terminal_is_redrawn())
        fputs("\r\033[K", stderr); /* the line of the program about its progress */
    if (rc)
        status = cli_fail(EXIT_TROUBLE, "%s", strerror(why));
    else if (result.error[0])
        status = cli_fail(EXIT_TROUBLE, "%s", result.error);
    else if (!result.is_complete) {
        program_show_failure(program, said, ended);
        status = EXIT_TROUBLE;
    } else
        status = measure_conclude(c, program, result.file);
    if (result.file)
        fclose(result.file);
    if (said)
        fclose(said);
    return status;
}

/* ---- the command ---- */

static int measure_parse(struct measure_command *c, int argc, char **argv)
{
    const struct option_target targets[] = {{"output", &c->output, NULL},
                                            {"json", &c->json, NULL},
                                            {"mpi", &c->mpi, NULL},
                                            {"seconds", &c->seconds, NULL},
                                            {NULL, NULL, NULL}};
    int status = options_parse(&(struct options){.order = "+:", .targets = targets}, argc, argv);
    if (status)
        return status;
    return optind < argc
               ? 0
               : cli_fail(EXIT_USAGE, "what shall start it? reseat measure -o FILE -- mpirun ...");
}

int cmd_measure(int argc, char **argv)
{
    static struct variables variables;
    struct reseat_error error;
    struct measure_command c = {.seconds = MEASURE_SECONDS};
    struct program program = {.line = MEASURE_LINE};
    char seconds[32], progress[2] = {terminal_is_redrawn() ? '1' : '0', '\0'};
    int status = measure_parse(&c, argc, argv);
    const struct named_output outputs[] = {{"output", c.output ? c.output : "-"}, {"json", c.json}};
    if (status || (status = measure_check_output(c.output)) ||
        (status = cli_status(check_outputs(outputs, 2, NULL, 0, &error), &error)))
        return status;
    snprintf(seconds, sizeof seconds, "%.17g", c.seconds);
    char *const arguments[] = {seconds, progress, NULL};
    if (getenv("RESEAT_TOPOLOGY"))
        variables_add_setting(&variables, "RESEAT_TOPOLOGY", getenv("RESEAT_TOPOLOGY"));
    program.variables = &variables;
    int rc = program_prepare(&program, "measure", c.mpi, argv + optind, arguments, &error);
    if (rc)
        return cli_status(rc, &error);
    status = measure_run(&c, &program);
    program_free(&program);
    return status;
}
