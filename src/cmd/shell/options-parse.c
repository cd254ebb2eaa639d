/* SPDX-License-Identifier: BSD-3-Clause */
/* options-parse.c - see options.h: parses the options of a command line, and says what is wrong
 * with a value. */
#include <ctype.h>
#include <float.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cmd/shell/complain.h"
#include "cmd/shell/options.h"
#include "cmd/shell/shell-word.h"
#include "text/number.h"

enum { OPTIONS_MOST = 64, OPTIONS_FIRST = 256 /* above all letters */ };

/* ---- what is not accepted ---- */

/* The word is a long option that the command does not have, or not in this form. */
static int options_reject_long(const char *command, const char *word)
{
    char name[64], meant[128] = "";
    size_t length = strcspn(word + 2, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             word + 2);
    const char *similar = options_similar(command, name);
    if (strcmp(name, "profile") == 0 || strcmp(name, "matrix") == 0)
        return cli_fail(EXIT_USAGE, "there is no option --%s; it needs none: reseat %s FILE", name,
                        command);
    if (similar && word[2 + length] && strcmp(similar, name) == 0)
        return cli_fail(EXIT_USAGE, "--%s takes no value", name);
    if (similar)
        snprintf(meant, sizeof meant, "did you mean --%s? ", similar);
    return cli_fail(EXIT_USAGE, "there is no option %s; %ssee reseat %s --help", word, meant,
                    command);
}

/* getopt_long has returned `letter`, `?` or `:`. Returns a usage status, or EXIT_HELP. */
static int options_reject(const char *command, int letter, char **argv)
{
    const char *word = argv[optind - 1];
    char one[3] = {'-', (char)optopt, '\0'};
    if (letter == '?' && cli_is_help(word))
        return EXIT_HELP;
    if (letter == ':')
        return cli_fail(EXIT_USAGE, "%s needs a value", word);
    if (strncmp(word, "--", 2) == 0 && (!optopt || strchr(word, '=')))
        return options_reject_long(command, word);
    return cli_fail(EXIT_USAGE, "there is no option %s; see reseat %s --help", optopt ? one : word,
                    command);
}

/* An option that takes a value stands before another option, or before the job. Returns 0, or a
 * usage status. */
static int options_check_follower(const struct command_option *row, char **argv)
{
    if (!row->argument || optarg != argv[optind - 1] || optarg[0] != '-' || !optarg[1] ||
        isdigit((unsigned char)optarg[1]) || optarg[1] == '.')
        return 0;
    return cli_fail(EXIT_USAGE, "--%s needs a value, not %s; if that is it: --%s=%s", row->name,
                    optarg, row->name, optarg);
}

/* The options of a command line so far, each once. */
struct options_given {
    const char *name[OPTIONS_MOST];
    int count;
};

/* Returns 0, or a usage status if the command takes the option or one that is given, not both. */
static int options_check_together(struct options_given *given, const char *command,
                                  const char *name)
{
    for (int i = 0; i < given->count; i++) {
        if (strcmp(given->name[i], name) == 0)
            return 0;
        if (options_are_apart(command, given->name[i], name))
            return cli_fail(EXIT_USAGE, "--%s and --%s cannot be combined", given->name[i], name);
    }
    given->name[given->count++] = name;
    return 0;
}

/* ---- values: return 0, or a usage status after an error message ---- */

int options_refuse(const char *name, const char *takes, const char *value)
{
    return cli_fail(EXIT_USAGE, "--%s takes %s, not '%s'", name, takes, value);
}

int options_word(const char *name, const char *words, const char *value)
{
    char all[512] = "";
    size_t length = strlen(value);
    for (int index = 0;; index++) {
        size_t word = strcspn(words, "|"), used = strlen(all);
        if (word == length && memcmp(words, value, length) == 0)
            return index;
        snprintf(all + used, sizeof all - used, "%s%.*s",
                 index == 0    ? ""
                 : words[word] ? ", "
                               : " or ",
                 (int)word, words);
        if (!words[word])
            break;
        words += word + 1;
    }
    options_refuse(name, all, value);
    return -1;
}

static int options_set_word(const struct command_option *row, const char *value, void *to)
{
    int index = options_word(row->name, row->argument, value);
    if (index < 0)
        return EXIT_USAGE;
    if (row->type == OPTION_NAME)
        *(const char **)to = value;
    else
        *(int *)to = (int)row->least + index;
    return 0;
}

static int options_set_number(const struct command_option *row, const char *value, void *to)
{
    uint64_t least = (uint64_t)row->least, number;
    uint64_t most = row->most > 0 ? (uint64_t)row->most : UINT64_MAX;
    const char *end = value, *word = strchr(row->argument, '|');
    char takes[96];
    if (word && strcmp(word + 1, value) == 0) {
        *(int *)to = -1;
        return 0;
    }
    if (least)
        snprintf(takes, sizeof takes, "%.0f to %.0f", row->least, row->most);
    else
        snprintf(takes, sizeof takes, "%s%sa number of at most %llu", word ? word + 1 : "",
                 word ? " or " : "", (unsigned long long)most);
    if (read_number(&end, most, &number) || *end || number < least)
        return options_refuse(row->name, takes, value);
    if (row->most > 0)
        *(int *)to = (int)number;
    else
        *(uint64_t *)to = number;
    return 0;
}

static int options_set_decimal(const struct command_option *row, const char *value, void *to)
{
    char *end;
    double number = strtod(value, &end), most = row->most > 0 ? row->most : DBL_MAX;
    char takes[96] = "a number above 0";
    if (row->most > 0)
        snprintf(takes, sizeof takes, "a number from %g to %g", row->least, row->most);
    if (end == value || *end || value[strspn(value, "0123456789.eE+-")] || !(number > 0) ||
        number < row->least || number > most)
        return options_refuse(row->name, takes, value);
    *(double *)to = number;
    return 0;
}

static int options_set(const struct command_option *row, const char *value, void *to)
{
    struct reseat_error error;
    switch (row->type) {
    case OPTION_WORD:
    case OPTION_NAME:
        return options_set_word(row, value, to);
    case OPTION_NUMBER:
        return options_set_number(row, value, to);
    case OPTION_DECIMAL:
        return options_set_decimal(row, value, to);
    case OPTION_LIST:
        return cli_status(word_list_add(to, "", value, &error), &error);
    case OPTION_LAYOUTS:
        return cli_status(word_list_add(to, WORD_LIST_LAYOUT, value, &error), &error);
    case OPTION_TEXT:
        *(const char **)to = value;
        return 0;
    default:
        *(int *)to = 1;
        return 0;
    }
}

/* ---- what was given ---- */

/* Returns 0, or a status after an error message. */
static int option_uses_add(struct option_uses *uses, const char *name, const char *value)
{
    if (array_add(&uses->use, &uses->count, &(struct option_use){name, value},
                  sizeof(struct option_use)))
        return cli_no_memory();
    return 0;
}

void option_use_print(FILE *file, const struct option_use *use)
{
    fprintf(file, " --%s", use->name);
    if (!use->value)
        return;
    putc(use->value[0] == '-' ? '=' : ' ', file);
    shell_word_print(file, use->value);
}

/* ---- the command line ---- */

/* Bring an option to its target; what has none is checked first. Returns 0, or a status after an
 * error message. */
static int options_assign(const struct options *options, const struct command_option *row)
{
    union {
        int number;
        uint64_t large;
        const char *text;
    } checked;
    const struct option_target *target = options->targets;
    while (target->name && strcmp(target->name, row->name) != 0)
        target++;
    if (options->uses && option_uses_add(options->uses, row->name, optarg))
        return EXIT_TROUBLE;
    if (!target->name) {
        int status = options_set(row, optarg, &checked);
        return status ? status : options->handle(options->context, row->name, optarg);
    }
    if (target->is_given)
        *target->is_given = 1;
    return options_set(row, optarg, target->to);
}

/* Describe the options of a command for getopt_long. */
static void options_describe(const char *command, const char *order, char *shorts,
                             struct option longs[OPTIONS_MOST])
{
    size_t count = 0, at = strlen(order);
    memcpy(shorts, order, at);
    for (int i = -1; count + 1 < OPTIONS_MOST && (i = options_find(command, i + 1)) >= 0; count++) {
        const struct command_option *row = options_row(i);
        longs[count].name = row->name;
        longs[count].has_arg = row->argument ? required_argument : no_argument;
        longs[count].val = OPTIONS_FIRST + i;
        if (row->letter)
            shorts[at++] = row->letter;
        if (row->letter && row->argument)
            shorts[at++] = ':';
    }
    shorts[at] = '\0';
}

/* The row of what getopt_long has found. */
static const struct command_option *options_found(const char *command, int found)
{
    if (found >= OPTIONS_FIRST)
        return options_row(found - OPTIONS_FIRST);
    int i = options_find(command, 0);
    while (options_row(i)->letter != found)
        i = options_find(command, i + 1);
    return options_row(i);
}

int options_before_job(int argc, char **argv, char ***job)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--") == 0) {
            *job = argv + i + 1;
            return i;
        }
    *job = NULL;
    return argc;
}

int options_parse(const struct options *options, int argc, char **argv)
{
    struct option longs[OPTIONS_MOST] = {{NULL, 0, NULL, 0}};
    char shorts[2 * OPTIONS_MOST + 8];
    struct options_given given = {.count = 0};
    int found, status = 0;
    options_describe(argv[0], options->order, shorts, longs);
    while (!status && (found = getopt_long(argc, argv, shorts, longs, NULL)) >= 0) {
        if (found == '?' || found == ':')
            return options_reject(argv[0], found, argv);
        const struct command_option *row = options_found(argv[0], found);
        status = options_check_follower(row, argv);
        if (!status)
            status = options_check_together(&given, argv[0], row->name);
        if (!status)
            status = options_assign(options, row);
    }
    return status;
}
