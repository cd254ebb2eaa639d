/* SPDX-License-Identifier: BSD-3-Clause */
/* test-printable.c - foreign text on a terminal and in files, and names of hosts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "text/error.h"
#include "text/host-name.h"
#include "text/printable.h"

static const struct {
    const char *text, *shown, *written;
    size_t length; /* up to the first control character */
} texts[] = {
    {"", "", "", 0},
    {"plain text", "plain text", "plain text", 10},
    {"a\tb", "a\tb", "a\\x09b", 3},
    {"a\nb", "a\\x0ab", "a\\x0ab", 1},
    {"\x1b]0;x\x07", "\\x1b]0;x\\x07", "\\x1b]0;x\\x07", 0},
    {"\x7f", "\\x7f", "\\x7f", 0},
    /* UTF-8 of two, three and four bytes; Latin-1 */
    {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
     "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", 9},
    {"M\xfcller", "M\xfcller", "M\xfcller", 6},
    /* C1 as UTF-8 and raw; behind a character that is not complete, too long, a surrogate */
    {"\xc2\x9b", "\\xc2\\x9b", "\\xc2\\x9b", 0},
    {"\xc2\xa0", "\xc2\xa0", "\xc2\xa0", 2},
    {"a\x9b", "a\\x9b", "a\\x9b", 1},
    {"\xe2\x82", "\xe2\\x82", "\xe2\\x82", 1},
    {"\xc0\x9b", "\xc0\\x9b", "\xc0\\x9b", 1},
    {"\xe0\x82\x9b", "\xe0\\x82\\x9b", "\xe0\\x82\\x9b", 1},
    {"\xed\xa0\x9b", "\xed\xa0\\x9b", "\xed\xa0\\x9b", 2},
    {"\xf4\x90\xa0\xa0", "\xf4\\x90\xa0\xa0", "\xf4\\x90\xa0\xa0", 1},
    /* a backslash is one, unless it would be read as an escape */
    {"C:\\dir \\n \\x4", "C:\\dir \\n \\x4", "C:\\dir \\n \\x4", 13},
    {"\\x41", "\\x41", "\\x5cx41", 4},
    {"\\\\x41", "\\\\x41", "\\\\x5cx41", 5},
    {"\\x4G", "\\x4G", "\\x4G", 4},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

static void terminals_get_no_control_characters(void **state)
{
    (void)state;
    char shown[64];
    for (size_t i = 0; i < TEXTS; i++) {
        assert_int_equal(printable_length(texts[i].text, strlen(texts[i].text)), texts[i].length);
        printable_copy(shown, sizeof shown, texts[i].text);
        assert_string_equal(shown, texts[i].shown);
        assert_int_equal(printable_length(shown, strlen(shown)), strlen(shown));
    }
}

static void files_give_the_text_back(void **state)
{
    (void)state;
    char written[64], piece[PRINTABLE_PIECE];
    for (size_t i = 0; i < TEXTS; i++) {
        const char *from = texts[i].text;
        size_t length = 0, more;
        while ((more = printable_piece(&from, piece)) > 0) {
            memcpy(written + length, piece, more);
            length += more;
        }
        written[length] = '\0';
        assert_string_equal(written, texts[i].written);
        assert_int_equal(printable_restore(written), 0);
        assert_string_equal(written, texts[i].text);
    }
    strcpy(written, "a\\x00b");
    assert_int_equal(printable_restore(written), -1);
}

/* Any bytes: what is written has no control characters, and comes back. */
static void any_bytes_come_back(void **state)
{
    (void)state;
    char text[24], written[24 * 4 + 1], piece[PRINTABLE_PIECE];
    uint64_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        size_t size = 0, length = 0, more;
        while (size < sizeof text - 1) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            unsigned char byte = (unsigned char)(seed >> 56);
            text[size++] = (char)(byte % 8 ? byte : "\\x41"[byte / 8 % 4]);
        }
        text[size] = '\0';
        for (const char *from = text; (more = printable_piece(&from, piece)) > 0; length += more)
            memcpy(written + length, piece, more);
        written[length] = '\0';
        assert_int_equal(printable_length(written, length), length);
        assert_int_equal(printable_restore(written), 0);
        assert_string_equal(written, text);
    }
}

static void nothing_is_cut_in_two(void **state)
{
    (void)state;
    char shown[6];
    printable_copy(shown, sizeof shown, "abc\x1b");
    assert_string_equal(shown, "abc");
    printable_copy(shown, sizeof shown, "abcd\xc3\xa4");
    assert_string_equal(shown, "abcd");
    printable_copy(shown, sizeof shown, "abcdefgh");
    assert_string_equal(shown, "abcde");
}

static void errors_are_one_line(void **state)
{
    (void)state;
    struct reseat_error error;
    assert_int_equal(reseat_fail(&error, "%s:%d", "a\nb\x1b[2J", 3), -1);
    assert_string_equal(error.text, "a\\x0ab\\x1b[2J:3");
}

static void names_of_hosts(void **state)
{
    (void)state;
    char longest[257];
    static const char *const good[] = {"n0",       "n0.site.org", "a-b",        "a--b", "3com",
                                       "10.0.0.1", "site.org.",   "under_sco",  "_x",   "fe80::1",
                                       "::1",      "N0",          "2001:db8::5"};
    static const char *const bad[] = {"",      "-o",    "-oProxyCommand=x",
                                      "a b",   "$(id)", "`id`",
                                      "a'b",   "a\"b",  "a;b",
                                      "a/b",   "a,b",   "a:3",
                                      "a=b",   ".a",    "a..b",
                                      "a.-b",  "a-",    "a-.b",
                                      "a\tb",  "a\nb",  "\xc3\xa4",
                                      "fe80:", "a[1]",  "#a",
                                      "a%eth0"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (!host_name_is_valid(good[i]))
            fail_msg("'%s' is refused", good[i]);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char clean[256];
        if (host_name_is_valid(bad[i]))
            fail_msg("'%s' is taken", bad[i]);
        host_name_clean(clean, sizeof clean, bad[i]);
        if (!host_name_is_valid(clean))
            fail_msg("'%s' of '%s' is refused", clean, bad[i]);
    }
    memset(longest, 'a', 256);
    longest[256] = '\0';
    assert_false(host_name_is_valid(longest));
    longest[255] = '\0';
    assert_true(host_name_is_valid(longest));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminals_get_no_control_characters),
        cmocka_unit_test(files_give_the_text_back),
        cmocka_unit_test(any_bytes_come_back),
        cmocka_unit_test(nothing_is_cut_in_two),
        cmocka_unit_test(errors_are_one_line),
        cmocka_unit_test(names_of_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
