/* SPDX-License-Identifier: BSD-3-Clause */
/* shell-word.c - quote words for a shell. */
#include <string.h>

#include "text/printable.h"
#include "cmd/shell/shell-word.h"

/* Characters without special meaning in a POSIX shell, anywhere after the name of the command. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-+./:,=@%";

void shell_word_print(FILE *file, const char *text)
{
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, file);
        return;
    }
    putc('\'', file);
    for (size_t length = strlen(text); *text; text++, length--)
        if (*text == '\'')
            fputs("'\\''", file);
        else if (*text != '\n' && printable_length(text, length) == 0)
            fprintf(file, "'\"$(printf '\\%03o')\"'", (unsigned)(unsigned char)*text);
        else
            putc(*text, file);
    putc('\'', file);
}

void shell_words_print(FILE *file, const char *before, char *const *words)
{
    for (; *words; words++, before = " ") {
        fputs(before, file);
        shell_word_print(file, *words);
    }
}
