/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * print-launcher.c - shows what is made of command lines by the table of launchers, for
 * launchers.tap:
 *
 *   print-launcher --names   the names of commands under which launchers are known
 *   print-launcher --rows    a line for each row of the table
 *   print-launcher --tried   the table of what was tried, as in README
 *   print-launcher --tried MPI   yes or no: was its series tried
 *   print-launcher FILE      what is recognized in each command line of a case, which words the
 *                            probe starts, how variables are handed on, and the words that place
 *
 * In a case a line is `says TEXT`, what the launcher answers to --version; NAME=VALUE, for the
 * environment, NAME= takes it away; a command line; or a comment (#).
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/job/delivery.h"
#include "cmd/place/rewrite.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/library.h"
#include "launcher/tried.h"

enum { MOST_WORDS = 64, MOST_VALUES = 16 };

/* The command has these from elsewhere. */
int cli_refuse(struct reseat_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return CLI_REFUSED;
}

void cli_keep_quiet(int quiet)
{
    (void)quiet;
}

int locate_module(const char *name, char path[LIBRARY_PATH_SIZE], char where[LIBRARY_WHERE_SIZE])
{
    (void)where;
    snprintf(path, LIBRARY_PATH_SIZE, "/lib/%s", name);
    return 0;
}

/* ---- rows ---- */

static const char *const deliveries[] = {[LAUNCHER_ENVIRONMENT] = "environment",
                                         [LAUNCHER_ENV_LIST] = "list",
                                         [LAUNCHER_EXPORT] = "-x",
                                         [LAUNCHER_GENV] = "-genv"};

static void print_row(const struct launcher *row)
{
    const char *mpi = row->mpi ? row->mpi : "any";
    printf("%s\tmpi %s\tnames", row->name, mpi);
    for (int i = 0; row->names[i]; i++)
        printf(" %s", row->names[i]);
    printf("\tranks");
    for (int i = 0; i < RANK_VARIABLES; i++)
        if (row->rank_variables & 1u << i)
            printf(" %s", rank_variable_name(i));
    printf("\tvariables by %s\tplaces", deliveries[row->delivery]);
    if (row->by_core)
        printf(" by core %s,", row->by_core->name);
    if (row->by_host)
        printf(" by host %s", row->by_host->name);
    putchar('\n');
}

static int count_option(const struct launcher_option *row, const char *name, size_t length)
{
    int count = 0;
    for (; row && row->names; row++)
        for (const char *at = row->names; *at; at += strcspn(at, " "), at += *at == ' ')
            count += strcspn(at, " ") == length && strncmp(at, name, length) == 0;
    return count;
}

/* An option that stands twice in a table would have the action of the first. */
static int check_options(const struct launcher *row)
{
    int twice = 0;
    for (const struct launcher_option *one = row->options; one && one->names; one++)
        for (const char *at = one->names; *at; at += strcspn(at, " "), at += *at == ' ')
            if (count_option(row->options, at, strcspn(at, " ")) != 1)
                twice |= printf("%s has --%.*s twice\n", row->name, (int)strcspn(at, " "), at);
    return twice != 0;
}

static int print_rows(void)
{
    const struct launcher *row;
    int rc = 0;
    for (int i = 0; (row = launcher_row(i)); i++) {
        print_row(row);
        rc |= check_options(row);
    }
    return rc;
}

static int print_names(void)
{
    const struct launcher *row;
    puts("mpirun\nmpiexec");
    for (int i = 0; (row = launcher_row(i)); i++)
        for (int n = 0; row->names[n]; n++)
            puts(row->names[n]);
    return 0;
}

/* ---- a case ---- */

struct launch {
    struct job job;
    char **command;
    const char *values[MOST_VALUES]; /* NAME=VALUE of the case */
    int count;
};

static void print_words(const char *what, char **words)
{
    printf("  %s:", what);
    for (int i = 0; words[i]; i++)
        printf(" %s", words[i]);
    putchar('\n');
}

static void set_values(const struct launch *l)
{
    for (int i = 0; i < l->count; i++)
        putenv((char *)l->values[i]);
}

/* The names of the case's variables that are there no more. */
static void print_unset(const struct launch *l)
{
    for (int i = 0; i < l->count; i++) {
        char name[256];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(l->values[i], "="), l->values[i]);
        if (!getenv(name))
            printf("    without %s\n", name);
    }
}

/* Ranks 0 to 3 on the hosts b b a a, their cores the other way around. */
static void print_placed(const struct launch *l, const struct launcher_format *format,
                         enum binding binding)
{
    static const char *const who[] = {"bound by it", "bound to nothing", "bound by the user"};
    static const struct emit_seat cores[] = {
        {"b", 1, "1", "1"}, {"b", 0, "0", "0"}, {"a", 1, "1", "1"}, {"a", 0, "0", "0"}};
    static const struct emit_seat hosts[] = {
        {"b", -1, NULL, NULL}, {"b", -1, NULL, NULL}, {"a", -1, NULL, NULL}, {"a", -1, NULL, NULL}};
    char what[64], number[] = "4", **words = NULL;
    struct emit_use use;
    snprintf(what, sizeof what, "%s, %s", format->name, who[binding]);
    if (emit_use(&use, format, "FILE", binding == BINDING_OURS ? cores : hosts, 4))
        abort();
    if (rewrite_keep_oversubscription(&l->job, l->command, binding, &use) == 0)
        words = rewrite_command(&l->job, l->command, &use, binding, number);
    if (!words)
        abort();
    print_words(what, words);
    if (format->setting)
        printf("    with %s\n", format->setting);
    if (format->variable)
        printf("    with %s=%s\n", format->variable, use.value);
    print_unset(l);
    free(words);
    emit_use_free(&use);
    set_values(l);
}

static void print_placements(const struct launch *l)
{
    const struct launcher *launcher = l->job.launcher;
    struct reseat_error error;
    if (rewrite_check(&l->job, l->command, &error)) {
        printf("  refused: %s\n", error.text);
        return;
    }
    if (launcher->by_core)
        print_placed(l, launcher->by_core, BINDING_OURS);
    if (launcher->unplaced != LAUNCHER_UNBIND)
        print_placed(l, launcher->by_host, BINDING_THEIRS);
    if (launcher->unplaced != LAUNCHER_BINDS_ON_EACH_HOST)
        print_placed(l, launcher->by_host, BINDING_NONE);
}

static void print_delivery(struct launch *l)
{
    struct variables v = {.count = 0};
    struct delivery d;
    struct reseat_error error;
    if (!l->job.mpi)
        l->job.mpi = "mpich";
    if (find_library(&l->job, l->command, &error)) {
        printf("  no library: %s\n", error.text);
        return;
    }
    variables_add(&v, "RESEAT", "profile");
    variables_add_preload(&v, &l->job);
    if (delivery_create(&d, &l->job, &v, l->command))
        abort();
    print_words(d.by_words ? "variables by words" : "variables by the environment", d.words);
    if (l->job.launcher->delivery == LAUNCHER_ENV_LIST && !d.by_words) {
        char *list = delivery_list(&l->job, &v, getenv(l->job.launcher->list_variable));
        printf("    with %s=%s\n", l->job.launcher->list_variable, list);
        free(list);
    }
    delivery_free(&d);
}

static void print_probe(const struct launch *l)
{
    char *words[MOST_WORDS + 1] = {NULL};
    words[rewrite_for_probe(&l->job, l->command, words, MOST_WORDS)] = NULL;
    print_words("the probe", words);
}

static void print_launch(struct launch *l, char *line)
{
    char *words[MOST_WORDS] = {NULL}, *save;
    struct reseat_error error;
    int n = 0;
    printf("%s\n", line);
    for (char *word = strtok_r(line, " ", &save); word && n < MOST_WORDS - 1;
         word = strtok_r(NULL, " ", &save))
        words[n++] = word;
    l->command = words;
    if (find_job(&l->job, NULL, words, &error)) {
        printf("complains: %s\n", error.text);
        return;
    }
    printf("  launcher: %s, of %s", l->job.launcher->name, l->job.mpi ? l->job.mpi : "any MPI");
    l->job.launcher = job_ask_launcher(&l->job, words);
    printf("; to place: %s; program: %s", l->job.launcher->name,
           l->job.program < 0 ? "none" : words[l->job.program]);
    printf("%s%s\n", l->job.wrapper < l->job.program ? " behind " : "",
           l->job.wrapper < l->job.program ? words[l->job.wrapper] : "");
    print_delivery(l);
    if (l->job.program >= 0)
        print_probe(l);
    print_placements(l);
}

/* A name as of a variable, before a `=`. */
static int is_value(const char *line)
{
    size_t length = strspn(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789abcdefghijklmnopqrstuvwxyz");
    return length > 0 && line[length] == '=';
}

/* `NAME=`: the variable is unset, and is none of the case any more. */
static void remove_value(struct launch *l, char *line)
{
    size_t name = strcspn(line, "=") + 1;
    for (int i = 0; i < l->count; i++) {
        if (strncmp(l->values[i], line, name))
            continue;
        char *removed = (char *)l->values[i];
        l->values[i--] = l->values[--l->count];
        line[name - 1] = '\0';
        unsetenv(line);
        line[name - 1] = '=';
        free(removed);
    }
}

static int print_case(const char *path)
{
    char line[4096];
    static struct launch l;
    FILE *file = fopen(path, "r");
    if (!file)
        return perror(path), 1;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "says ", 5) == 0) {
            setenv("LAUNCHER_SAYS", line + 5, 1);
        } else if (is_value(line) && line[strcspn(line, "=") + 1] == '\0') {
            remove_value(&l, line);
        } else if (is_value(line) && l.count < MOST_VALUES) {
            l.values[l.count++] = strdup(line);
            set_values(&l);
        } else if (line[0] && line[0] != '#') {
            print_launch(&l, line);
        }
    }
    fclose(file);
    return 0;
}

/* The word for it in the table. */
static const char *tried_word(const struct tried_row *row, enum tried tried)
{
    static const char *const words[] = {
        [TRIED_NOT] = "-",
        [TRIED_DOCUMENTS] = "documents",
        [TRIED_IN_FULL] = "in full",
        [TRIED_ALWAYS] = "always",
    };
    return tried == TRIED_BY_HAND ? row->month : words[tried];
}

static int print_tried(const char *mpi)
{
    const struct tried_row *row;
    if (mpi)
        return puts(tried_has(mpi) ? "yes" : "no") < 0;
    for (int i = 0; (row = tried_row(i)); i++)
        printf("| %s%s%s | %s | %s | %s | %s | %s | %s |\n", row->mpi, *row->release ? " " : "",
               row->release, row->launcher, tried_word(row, row->profile),
               tried_word(row, row->run), tried_word(row, row->graph),
               tried_word(row, row->placement), tried_word(row, row->verify));
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc >= 2 ? argv[1] : "";
    if (strcmp(what, "--tried") == 0)
        return print_tried(argv[2]);
    if (strcmp(what, "--rows") == 0)
        return print_rows();
    return strcmp(what, "--names") == 0 ? print_names() : print_case(what);
}
