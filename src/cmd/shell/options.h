/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the options of all commands, in one table: what the parser (options-parse.c) takes,
 * what --help says, and what shells complete. The manual is compared with it
 * (tests/cmd/options.tap). */
#ifndef RESEAT_CMD_OPTIONS_H
#define RESEAT_CMD_OPTIONS_H

#include <stdio.h>

#include "cmd/shell/word-list.h"

/* The kinds of values, and the type of their target (struct option_target). */
enum option_type {
    OPTION_FLAG,    /* nothing; an int, which becomes 1 */
    OPTION_TEXT,    /* any text; a const char * */
    OPTION_WORD,    /* one of the words of its argument; an int, which is `least` for the first */
    OPTION_NAME,    /* the same; a const char * */
    OPTION_NUMBER,  /* `least` to `most`; an int, or if `most` is 0, which is no limit, a uint64_t.
                    * With the argument "N|word" also that word, which is -1 */
    OPTION_DECIMAL, /* `least` to `most`; 0: anything above 0, and no limit; a double */
    OPTION_LIST,    /* "A,B,..."; a struct word_list, to which each use adds its words */
    OPTION_LAYOUTS  /* the same for layouts, which become names of methods */
};

struct command_option {
    const char *commands; /* that have it, separated by spaces */
    char letter;          /* that users may write instead of the name; 0: none */
    const char *name;
    enum option_type type;
    double least, most;
    const char *argument; /* NULL: none. Words of small letters separated by `|` are all that it
                           * takes; FILE and FOLDER may be completed */
    const char *help;
};

/* An index of the next option of a command, beginning at `from`; -1: no more. */
int options_find(const char *command, int from);
const struct command_option *options_row(int index);

/* The destination of an option's value. */
struct option_target {
    const char *name; /* of the option; NULL: the end of the list */
    void *to;         /* unchanged if the option is not given */
    int *is_given;    /* set to 1 if it is; may be NULL */
};

/* An option as it was given. */
struct option_use {
    const char *name;
    const char *value; /* NULL: it takes none */
};

struct option_uses {
    struct option_use *use; /* allocated */
    size_t count;
};

/* Print " --name value", as a shell and options_parse read it. */
void option_use_print(FILE *file, const struct option_use *use);

/* The options that a command parses, and their destinations. */
struct options {
    /* "+:": options end at the first other word; ":": they may stand anywhere before `--`. */
    const char *order;
    const struct option_target *targets;
    /* Handles the options without a target, which have valid values of their types. `value` is NULL
     * for a flag. Returns 0, or a status after an error message. NULL: all options have a
     * target. */
    int (*handle)(void *context, const char *name, const char *value);
    void *context;
    struct option_uses *uses; /* gets all options; NULL: they are not needed later */
};

/* The words of a command line before `--`; *job is those after it, NULL if there is none. */
int options_before_job(int argc, char **argv, char ***job);

/* Parse the options of the command argv[0]. optind is then the index of the first other word; a
 * further call goes on there. Returns 0; a usage status after an error message; or EXIT_HELP if
 * help is requested. */
int options_parse(const struct options *options, int argc, char **argv);

/* Report a value that an option does not take. Returns a usage status. */
int options_refuse(const char *name, const char *takes, const char *value);

/* Returns 1 if the command takes only one of these two options. */
int options_are_apart(const char *command, const char *name, const char *other);

/* Returns the index of a value in "word|word|..."; -1 after an error message. */
int options_word(const char *name, const char *words, const char *value);

/* Print "[-o FILE] [--tree TEXT | --topology FILE] ", the options of a command but for those that
 * `operands` names. */
void options_print_usage(FILE *file, const char *command, const char *operands);

/* Prints the part of --help about a command's options, but for the special ones. */
void options_print(FILE *file, const char *command);

/* The name of the option of a command that the user may have meant with `word`, without its dashes;
 * NULL: nothing is similar. */
const char *options_similar(const char *command, const char *word);

#endif
