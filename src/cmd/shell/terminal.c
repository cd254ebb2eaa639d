/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.c - see terminal.h. */
#include "cmd/shell/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/number.h"

enum { TERMINAL_COLUMNS = 80, TERMINAL_MOST_COLUMNS = 4096 };

/* The value of a variable; empty: it is not set. */
static const char *terminal_variable(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

/* By its name, a locale that this machine does not have, as after ssh from another one. */
static int terminal_names_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && !*locale; i++)
        locale = terminal_variable(names[i]);
    return strcasestr(locale, ".utf-8") || strcasestr(locale, ".utf8");
}

static int terminal_is_utf8(void)
{
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (!locale)
        return terminal_names_utf8();
    int is_utf8 = strcasecmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    freelocale(locale);
    return is_utf8;
}

static int terminal_is_dumb(void)
{
    const char *name = terminal_variable("TERM");
    return !*name || strcmp(name, "dumb") == 0;
}

int terminal_width(int fd)
{
    struct winsize size;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
        return size.ws_col < TERMINAL_MOST_COLUMNS ? size.ws_col : TERMINAL_MOST_COLUMNS;
    return TERMINAL_COLUMNS;
}

/* COLUMNS counts more than the terminal. */
static int terminal_columns(int fd)
{
    uint64_t columns = 0;
    const char *given = terminal_variable("COLUMNS");
    if (*given && read_number(&given, TERMINAL_MOST_COLUMNS, &columns) == 0 && !*given && columns)
        return (int)columns;
    return terminal_width(fd);
}

struct terminal terminal_of(int fd, enum terminal_color color)
{
    const char *depth = terminal_variable("COLORTERM");
    int is_direct = strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0;
    int is_wanted =
        color == TERMINAL_ALWAYS || (color == TERMINAL_AUTO && isatty(fd) && !terminal_is_dumb() &&
                                     !*terminal_variable("NO_COLOR"));
    return (struct terminal){is_wanted && terminal_is_utf8() ? terminal_columns(fd) : 0, is_direct};
}

int terminal_is_redrawn(void)
{
    return isatty(STDERR_FILENO) && !terminal_is_dumb();
}

int terminal_is_foreground(void)
{
    return tcgetpgrp(STDERR_FILENO) == getpgrp();
}

size_t terminal_word(const char *text)
{
    return strcspn(text, " ");
}

void terminal_wrap(FILE *file, const char *text, int column, int indent, terminal_piece_fn *piece)
{
    const char *before = "";
    for (size_t length; *text; text += length + (text[length] == ' ')) {
        length = piece(text);
        if (*before && column + 1 + (int)length >= TERMINAL_COLUMNS) {
            fprintf(file, "\n%*s", indent, "");
            column = indent;
            before = "";
        }
        column += fprintf(file, "%s%.*s", before, (int)length, text);
        before = " ";
    }
    putc('\n', file);
}
