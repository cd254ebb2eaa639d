/* SPDX-License-Identifier: BSD-3-Clause */
/* quote.c - words for a shell. */
#include <string.h>

#include "cmd/cmd.h"

/* What means itself in a POSIX shell, wherever it stands behind the command's name. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+./:,=@%";

void print_word(FILE *file, const char *text)
{
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, file);
        return;
    }
    putc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            putc(*text, file);
    putc('\'', file);
}
