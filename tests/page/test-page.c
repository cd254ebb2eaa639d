/* SPDX-License-Identifier: BSD-3-Clause */
/* test-page.c - foreign text in HTML and JSON, numbers in JSON, and pages from their source. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/frame.h"
#include "page/json.h"
#include "page/markup.h"
#include "page/template.h"

static const struct {
    const char *text, *html, *json;
} texts[] = {
    {"", "", "\"\""},
    {"plain", "plain", "\"plain\""},
    {"<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;",
     "\"\\u003cscript>alert('x')\\u003c/script>\""},
    {"\" onload=\"x\\", "&quot; onload=&quot;x\\", "\"\\\" onload=\\\"x\\\\\""},
    {"a&amp;b", "a&amp;amp;b", "\"a&amp;b\""},
    {"<!--", "&lt;!--", "\"\\u003c!--\""},
    {"\x1b]0;t\x07\n", "\\x1b]0;t\\x07\\x0a", "\"\\u001b]0;t\\u0007\\u000a\""},
    {"a\tb\x7f", "a\tb\\x7f", "\"a\\u0009b\\u007f\""},
    /* UTF-8 of two to four bytes; C1 as UTF-8 and raw; Latin-1; a character that is cut */
    {"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82",
     "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x99\x82\""},
    {"\xc2\x9b", "\\xc2\\x9b", "\"\\u009b\""},
    {"\x9b", "\\x9b", "\"\\ufffd\""},
    {"M\xfcller", "M\xef\xbf\xbdller", "\"M\\ufffdller\""},
    {"\xe2\x82", "\xef\xbf\xbd\\x82", "\"\\ufffd\\ufffd\""},
    {"\xe2\x80\xa8\xe2\x80\xa9", "\xe2\x80\xa8\xe2\x80\xa9", "\"\\u2028\\u2029\""},
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* What is written to a file; allocated. */
static FILE *page_begin(char **text, size_t *size)
{
    FILE *file = open_memstream(text, size);
    assert_non_null(file);
    return file;
}

static void text_is_no_markup(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        char *html, *json;
        size_t size;
        FILE *file = page_begin(&html, &size);
        markup_write(file, texts[i].text);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(html, texts[i].html);
        file = page_begin(&json, &size);
        json_text(&(struct json){.file = file}, NULL, texts[i].text);
        assert_int_equal(fclose(file), 0);
        assert_string_equal(json, texts[i].json);
        free(html);
        free(json);
    }
}

/* No byte of a text, whatever it is, ends the string or the element in which it stands. */
static void every_pair_of_bytes_is_harmless(void **state)
{
    (void)state;
    for (int a = 1; a < 256; a++)
        for (int b = 1; b < 256; b++) {
            const char pair[3] = {(char)a, (char)b, '\0'};
            char *html, *json;
            size_t size;
            FILE *file = page_begin(&html, &size);
            markup_write(file, pair);
            fclose(file);
            file = page_begin(&json, &size);
            json_text(&(struct json){.file = file}, NULL, pair);
            fclose(file);
            assert_null(strpbrk(html, "<>\"'"));
            assert_null(strchr(json, '<'));
            for (const char *p = json; *p; p++)
                assert_true((unsigned char)*p >= ' ' && *p != 0x7f);
            for (const char *p = json + 1; p[1]; p++) /* quotes inside are escaped */
                if (*p == '\\')
                    p++;
                else
                    assert_int_not_equal(*p, '"');
            free(html);
            free(json);
        }
}

static void numbers_come_back(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } numbers[] = {{0, "0"},          {0.1, "0.1"},   {1.0 / 3, "0.3333333333333333"},
                   {1e300, "1e+300"}, {-2.5, "-2.5"}, {9007199254740993.0, "9007199254740992"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char *text;
        size_t size;
        FILE *file = page_begin(&text, &size);
        json_number(&(struct json){.file = file}, NULL, numbers[i].value);
        fclose(file);
        assert_string_equal(text, numbers[i].text);
        free(text);
    }
}

static void objects_and_arrays(void **state)
{
    (void)state;
    char *text;
    size_t size;
    struct json json = {.file = page_begin(&text, &size)};
    json_open(&json, NULL, '{');
    json_text(&json, "none", NULL);
    json_number(&json, "not a number", NAN);
    json_integer(&json, "most", UINT64_MAX);
    json_boolean(&json, "true", 7);
    json_open(&json, "empty", '[');
    json_close(&json);
    json_open(&json, "line", '(');
    json_integer(&json, NULL, 1);
    json_integer(&json, NULL, 2);
    json_close(&json);
    json_open(&json, "rows", '[');
    json_open(&json, NULL, '{');
    json_close(&json);
    json_close(&json);
    json_close(&json);
    assert_int_equal(fclose(json.file), 0);
    assert_string_equal(text,
                        "{\n \"none\": null,\n \"not a number\": null,\n"
                        " \"most\": 18446744073709551615,\n \"true\": true,\n \"empty\": [],\n"
                        " \"line\": [1,2],\n \"rows\": [\n  {}\n ]\n}\n");
    free(text);
}

/* ---- pages ---- */

static void page_write_name(FILE *file, const void *context)
{
    fputs(context, file);
}

static int page_holds(const void *context)
{
    return *(const char *)context != '\0';
}

static int page_never(const void *context)
{
    (void)context;
    return 0;
}

static void pages_are_their_source_with_parts(void **state)
{
    (void)state;
    static const struct template_part parts[] = {{"name", page_write_name, page_holds},
                                                 {"never", NULL, page_never},
                                                 {"always", NULL, page_holds}};
    static const struct {
        const char *source, *name, *page;
        int status;
    } pages[] = {
        {"", "x", "", 0},
        {"a{{name}}b{{name}}", "{{name}}", "a{{name}}b{{name}}", 0},
        {"{{#name}}<{{name}}>{{/name}}.", "x", "<x>.", 0},
        {"{{#name}}<{{name}}>{{/name}}.", "", ".", 0},
        {"a{{#never}}{{#name}}b{{/name}}{{/never}}c", "x", "ac", 0},
        {"a{{#name}}b{{#never}}c{{/never}}{{/name}}d", "x", "abd", 0},
        {"a{ {name}}", "x", "a{ {name}}", 0},
        {"a{{other}}", "x", "a", -1},
        {"a{{never}}", "x", "a", -1},
        {"a{{name", "x", "a", -1},
        {"a{{#never}}b", "x", "a", -1},
        {"a{{#name}}b", "x", "ab", -1},
        {"a{{/name}}b", "x", "a", -1},
        {"a{{#name}}b{{/never}}", "x", "ab", -1},
        {"a{{#name}}b{{#always}}c{{/name}}d{{/always}}", "x", "abc", -1},
    };
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        char *text;
        size_t size;
        FILE *file = page_begin(&text, &size);
        assert_int_equal(template_write(file, pages[i].source, parts, 3, pages[i].name),
                         pages[i].status);
        fclose(file);
        assert_string_equal(text, pages[i].page);
        free(text);
    }
}

static void lines_are_separated(void **state)
{
    (void)state;
    static const struct {
        const char *text, *html;
    } cases[] = {{"", ""},
                 {"one", "one"},
                 {"one\n", "one"},
                 {"<a>\nb\x1b\n", "&lt;a&gt;<br>\nb\\x1b"},
                 {"a\n\nb", "a<br>\n<br>\nb"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *text;
        size_t size;
        FILE *file = page_begin(&text, &size);
        markup_write_lines(file, cases[i].text);
        fclose(file);
        assert_string_equal(text, cases[i].html);
        free(text);
    }
}

/* Styles and scripts of a page stand behind those of all pages, and the policy names the digests of all. */
static void a_frame_has_what_a_page_brings(void **state)
{
    (void)state;
    static const struct template_part parts[] = {{"name", page_write_name, page_holds}};
    struct frame frame = {.kind = "thing",
                          .title = "T {{name}}",
                          .heading = "H {{name}}",
                          .facts = "F",
                          .body = "{{#name}}B {{name}}{{/name}}\n",
                          .style = {{"s{}", "sha256-S"}},
                          .script = {{"f()", "sha256-1"}, {"g()", "sha256-2"}},
                          .part = parts,
                          .parts = 1,
                          .context = "x"};
    const char *const expected[] = {
        " 'sha256-S'; script-src 'sha256-",
        " 'sha256-1' 'sha256-2'; img-src",
        "<title>T x - Reseat</title>",
        "Skip to the thing</a>",
        "<h1>H x</h1>",
        "<p class=\"facts\">F</p>",
        "\nB x\n</main>",
        "</style>\n<style>s{}</style>\n</head>",
        "</script>\n<script>f()</script>\n<script>g()</script>\n</body>"};
    char *text;
    size_t size;
    FILE *file = page_begin(&text, &size);
    assert_int_equal(frame_write(file, &frame), 0);
    fclose(file);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (!strstr(text, expected[i]))
            fail_msg("no %s in %s", expected[i], text);
    free(text);
    frame.body = "{{other}}";
    file = page_begin(&text, &size);
    assert_int_equal(frame_write(file, &frame), -1);
    fclose(file);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_no_markup),
        cmocka_unit_test(every_pair_of_bytes_is_harmless),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(objects_and_arrays),
        cmocka_unit_test(pages_are_their_source_with_parts),
        cmocka_unit_test(lines_are_separated),
        cmocka_unit_test(a_frame_has_what_a_page_brings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
