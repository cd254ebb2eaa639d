/* SPDX-License-Identifier: BSD-3-Clause */
/* origin.c - see origin.h. This process is looked up in /proc, because a Fortran program has no
 * argv. */
#include "profile/origin.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- this process ---- */

const char *origin_own_program(char *text)
{
    ssize_t length = readlink("/proc/self/exe", text, ORIGIN_SIZE - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

const char *origin_own_arguments(char *text)
{
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? 0 : read(file, text, ORIGIN_SIZE - 1);
    if (file >= 0)
        close(file);
    while (length > 0 && text[length - 1] == '\0')
        length--;
    text[length > 0 ? length : 0] = '\0';
    ssize_t first = (ssize_t)strlen(text) + 1; /* after the name of the program */
    for (ssize_t i = first; i < length; i++)
        if (text[i] == '\0')
            text[i] = ' ';
    return first < length ? text + first : "";
}

static const char origin_plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                   "_-+./:,=@";

int origin_pack_command(char *packed, const char *line)
{
    size_t length = 0;
    for (; *line && length + 4 < ORIGIN_SIZE; line++)
        length +=
            (size_t)snprintf(packed + length, 4, strchr(origin_plain, *line) ? "%c" : "%%%02X",
                             (unsigned)(unsigned char)*line);
    packed[length] = '\0';
    return *line ? -1 : 0;
}

/* The value of a hexadecimal digit as packing writes it; -1: it is none. */
static int origin_digit(char digit)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = digit ? strchr(digits, digit) : NULL;
    return at ? (int)(at - digits) : -1;
}

const char *origin_own_command(char *text)
{
    const char *packed = getenv("RESEAT_COMMAND");
    size_t length = 0;
    for (; packed && *packed && length + 1 < ORIGIN_SIZE; packed++) {
        int high = *packed == '%' ? origin_digit(packed[1]) : -1;
        int low = high >= 0 ? origin_digit(packed[2]) : -1;
        text[length++] = low >= 0 ? (char)(16 * high + low) : *packed;
        packed += low >= 0 ? 2 : 0;
    }
    text[length] = '\0';
    return text;
}

/* ---- names ---- */

/* The name of a program, and the script that it runs, both without folders; no script: empty. */
struct origin_names {
    char program[128], script[128];
    const char *arguments; /* of an interpreter, or "" */
    int is_interpreter;
};

/* The last part of the path that ends at `end`. */
static void origin_copy_name(char name[128], const char *path, const char *end)
{
    const char *slash = memrchr(path, '/', (size_t)(end - path));
    path = slash ? slash + 1 : path;
    snprintf(name, 128, "%.*s", (int)(end - path), path);
}

/* As python3.11 is python, and octave-cli-8.4.0 octave-cli. */
static void origin_drop_version(char *name)
{
    size_t length = strlen(name);
    while (length > 1 &&
           (isdigit((unsigned char)name[length - 1]) || strchr(".-", name[length - 1])))
        length--;
    name[length] = '\0';
}

int origin_is_interpreter(const char *program)
{
    static const char *const names[] = {"python", "pypy",       "perl", "ruby", "julia",
                                        "R",      "octave-cli", "lua",  "java"};
    char name[128];
    origin_copy_name(name, program, program + strlen(program));
    origin_drop_version(name);
    if (strncmp(name, "ld-linux", 8) == 0)
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return 1;
    return 0;
}

/* Length of an option of an interpreter, with the word that follows if it takes one; 0: it is
 * none. */
static size_t origin_skip_option(const char *arguments)
{
    static const char *const with_word[] = {"-W ",         "-X ",           "-cp ",
                                            "-classpath ", "--class-path ", "--library-path ",
                                            "--preload ",  "--argv0 "};
    size_t length = strcspn(arguments, " ");
    for (size_t i = 0; i < sizeof with_word / sizeof with_word[0]; i++)
        if (strncmp(arguments, with_word[i], strlen(with_word[i])) == 0)
            return length + 1 + strcspn(arguments + length + 1, " ");
    return *arguments == '-' ? length : 0;
}

static int origin_is_script(const char *name)
{
    static const char *const endings[] = {".py", ".jl", ".R", ".r", ".pl", ".rb", ".lua", ".m"};
    const char *ending = strrchr(name, '.');
    for (size_t i = 0; ending && i < sizeof endings / sizeof endings[0]; i++)
        if (strcmp(ending, endings[i]) == 0)
            return 1;
    return 0;
}

/* The first argument that has the name of a script, because another program or a folder with spaces
 * may be before it; or else the first that is no option, no number, and not mpi4py, which runs
 * another one. */
static void origin_find_script(char name[128], const char *arguments)
{
    char word[128];
    name[0] = '\0';
    while (*arguments && strncmp(arguments, "-c ", 3) != 0 && strncmp(arguments, "-e ", 3) != 0) {
        size_t length = origin_skip_option(arguments), end = strcspn(arguments, " ");
        int is_file = strncmp(arguments, "--file=", 7) == 0;
        if (is_file || length == 0) {
            length = end;
            origin_copy_name(word, arguments + (is_file ? 7 : 0), arguments + end);
            if (is_file || origin_is_script(word)) {
                memcpy(name, word, sizeof word);
                return;
            }
            if (!*name && strspn(word, "0123456789.,:") != strlen(word) &&
                strcmp(word, "mpi4py") != 0 && strncmp(word, "mpi4py.", 7) != 0)
                memcpy(name, word, sizeof word);
        }
        arguments += length + (arguments[length] == ' ');
    }
}

/* Returns 1 if a word of the arguments is this name, or the path of it. */
static int origin_has_word(const char *arguments, const char *name)
{
    char word[128];
    while (*arguments) {
        size_t length = strcspn(arguments, " ");
        origin_copy_name(word, arguments, arguments + length);
        if (strcmp(word, name) == 0)
            return 1;
        arguments += length + (arguments[length] == ' ');
    }
    return 0;
}

static void origin_find_names(struct origin_names *names, const char *program,
                              const char *arguments)
{
    static const char deleted[] = " (deleted)"; /* since it was started: it was built again */
    size_t length = strlen(program), tail = sizeof deleted - 1;
    if (length > tail && strcmp(program + length - tail, deleted) == 0)
        length -= tail;
    *names = (struct origin_names){.arguments = ""};
    origin_copy_name(names->program, program, program + length);
    if (strncmp(names->program, "lt-", 3) == 0) /* libtool's, before it is installed */
        memmove(names->program, names->program + 3, strlen(names->program + 3) + 1);
    names->is_interpreter = origin_is_interpreter(names->program);
    if (names->is_interpreter) {
        origin_drop_version(names->program);
        names->arguments = arguments ? arguments : "";
        origin_find_script(names->script, names->arguments);
    }
}

/* The name to compare: that of the script, if one is known. */
static const char *origin_name(const struct origin_names *names)
{
    return *names->script ? names->script : names->program;
}

const char *origin_title(const struct reseat_profile *profile, char text[ORIGIN_TITLE_SIZE])
{
    const char *program = reseat_profile_header(profile, "program");
    struct origin_names names;
    if (!program || !*program)
        return NULL;
    origin_find_names(&names, program, reseat_profile_header(profile, "arguments"));
    snprintf(text, ORIGIN_TITLE_SIZE, "%s", origin_name(&names));
    return text;
}

/* Of two scripts of which one is not known only the interpreters can be compared. One may have been
 * started by another: a profiler, a debugger. */
static int origin_is_same(const struct origin_names *a, const struct origin_names *b)
{
    if (a->is_interpreter && b->is_interpreter && (!*a->script || !*b->script))
        return strcmp(a->program, b->program) == 0;
    return strcmp(origin_name(a), origin_name(b)) == 0 ||
           origin_has_word(a->arguments, origin_name(b)) ||
           origin_has_word(b->arguments, origin_name(a));
}

/* ---- lines ---- */

static int origin_compare_programs(const struct reseat_profile *profile, const char *path,
                                   const struct origin *now, char note[ORIGIN_NOTE_SIZE])
{
    const char *program = reseat_profile_header(profile, "program");
    struct origin_names then, own;
    if (!program || !*program || !now->program || !*now->program)
        return 0;
    origin_find_names(&then, program, reseat_profile_header(profile, "arguments"));
    origin_find_names(&own, now->program, now->arguments);
    if (origin_is_same(&then, &own) || strncmp(own.program, "reseat-replay-", 14) == 0)
        return 0;
    snprintf(note, ORIGIN_NOTE_SIZE,
             "%.200s is a profile of %s, and this program is %s: it may send other messages", path,
             origin_name(&then), origin_name(&own));
    return 1;
}

static int origin_compare_mpis(const struct reseat_profile *profile, const char *path,
                               const struct origin *now, char note[ORIGIN_NOTE_SIZE])
{
    const char *mpi = reseat_profile_header(profile, "mpi");
    size_t rows = 0;
    for (size_t i = 0; i < profile->domains_count; i++)
        rows += profile->domains[i].count[RESEAT_COLL];
    int was_openmpi = mpi && strncmp(mpi, "Open MPI", 8) == 0;
    int was_mpich = mpi && strncmp(mpi, "MPICH", 5) == 0;
    if (rows == 0 || (!(was_openmpi && now->is_mpich) && !(was_mpich && now->is_openmpi)))
        return 0;
    snprintf(note, ORIGIN_NOTE_SIZE,
             "%.200s was recorded with %s, and this MPI is %s, whose collectives send other "
             "messages",
             path, was_mpich ? "MPICH" : "Open MPI", was_mpich ? "Open MPI" : "MPICH");
    return 1;
}

int origin_compare(const struct reseat_profile *profile, const char *path, const struct origin *now,
                   char note[ORIGIN_NOTES][ORIGIN_NOTE_SIZE])
{
    int count = origin_compare_programs(profile, path, now, note[0]);
    return count + origin_compare_mpis(profile, path, now, note[count]);
}
