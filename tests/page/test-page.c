/* SPDX-License-Identifier: BSD-3-Clause */
/* test-page.c - foreign text in HTML and JSON, numbers in JSON, documents, and pages from their source. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "page/document.h"
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
        json_write_text(file, texts[i].text);
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
            json_write_text(file, pair);
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
        json_write_number(file, numbers[i].value);
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
    FILE *file = page_begin(&text, &size);
    struct document d;
    document_init(&d);
    document_text(&d, "none", NULL);
    document_number(&d, "not a number", NAN);
    document_integer(&d, "most", UINT64_MAX);
    document_boolean(&d, "true", 7);
    document_open(&d, "empty", '[');
    document_close(&d);
    document_open(&d, "line", '(');
    document_integer(&d, NULL, 1);
    document_integer(&d, NULL, 2);
    document_close(&d);
    document_open(&d, "rows", '[');
    document_open(&d, NULL, '{');
    document_close(&d);
    document_close(&d);
    assert_int_equal(document_write_json(file, &d), 0);
    assert_int_equal(fclose(file), 0);
    document_free(&d);
    assert_string_equal(text,
                        "{\n \"none\": null,\n \"not a number\": null,\n"
                        " \"most\": 18446744073709551615,\n \"true\": true,\n \"empty\": [],\n"
                        " \"line\": [1,2],\n \"rows\": [\n  {}\n ]\n}\n");
    free(text);
}

/* ---- documents ---- */

static void document_fill(struct document *d)
{
    char *const words[] = {(char *)"a", (char *)"<b>", NULL};
    document_init(d);
    document_text(d, "none", NULL);
    document_text(d, "name", "<x>");
    document_print(d, "print", "%d of %s", 1, "2");
    document_markup(d, "@markup", "<i>");
    document_boolean(d, "yes", 7);
    document_boolean(d, "no", 0);
    document_integer(d, "most", UINT64_MAX);
    document_number(d, "nan", NAN);
    document_number(d, "half", 0.5);
    document_texts(d, "words", words);
    document_open(d, "rows", '[');
    for (int i = 0; i < 2; i++) {
        document_open(d, NULL, '{');
        document_integer(d, "n", (uint64_t)i + 1);
        document_numbers(d, "pair", 2, (double[]){i, 2 * i});
        document_text(d, "@note", i ? "last" : "");
        document_close(d);
    }
    document_text(d, "@of", "rows");
    document_close(d);
    document_open(d, "empty", '[');
    document_close(d);
    document_open(d, "inside", '{');
    document_text(d, "name", "y");
    document_close(d);
}

static void documents_are_json_without_what_is_for_pages(void **state)
{
    (void)state;
    struct document document;
    char *text;
    size_t size;
    FILE *file = page_begin(&text, &size);
    document_fill(&document);
    assert_int_equal(document_write_json(file, &document), 0);
    fclose(file);
    assert_string_equal(text, "{\n \"none\": null,\n \"name\": \"\\u003cx>\",\n"
                              " \"print\": \"1 of 2\",\n \"yes\": true,\n \"no\": false,\n"
                              " \"most\": 18446744073709551615,\n \"nan\": null,\n"
                              " \"half\": 0.5,\n \"words\": [\"a\",\"\\u003cb>\"],\n"
                              " \"rows\": [\n  {\n   \"n\": 1,\n   \"pair\": [0,0]\n  },\n"
                              "  {\n   \"n\": 2,\n   \"pair\": [1,2]\n  }\n ],\n"
                              " \"empty\": [],\n \"inside\": {\n  \"name\": \"y\"\n }\n}\n");
    free(text);
    document_free(&document);
}

/* Also texts larger than a block; too deep is as out of memory. */
static void documents_have_room(void **state)
{
    (void)state;
    static char large[100000];
    struct document document;
    memset(large, 'x', sizeof large - 1);
    document_init(&document);
    for (int i = 0; i < 10; i++) {
        document_text(&document, "large", large);
        document_print(&document, "print", "%s", large);
    }
    assert_string_equal(document.root.first->next->text, large);
    assert_false(document.is_short);
    for (int i = 0; i <= DOCUMENT_DEPTH; i++)
        document_open(&document, "in", '{');
    for (int i = 0; i <= DOCUMENT_DEPTH; i++)
        document_close(&document);
    assert_true(document.is_short);
    assert_int_equal(document_write_json(stdout, &document), -1);
    document_free(&document);
}

/* ---- pages ---- */

static int page_put_plus(FILE *file, const struct document_value *value)
{
    double number[3];
    document_copy_numbers(number, 3, value);
    return fprintf(file, "%g", number[0] + number[1]) < 0 || !isnan(number[2]) ? -1 : 0;
}

static int page_draw_name(FILE *file, const void *context)
{
    return fputs(context, file) < 0 ? -1 : 0;
}

static void pages_are_their_source_with_values(void **state)
{
    (void)state;
    static const struct template_format formats[] = {{.name = "plus", .write = page_put_plus},
                                                     {.name = NULL}};
    static const struct {
        const char *source, *page;
        int status;
    } pages[] = {
        {"", "", 0},
        {"a{{name}}b{{@markup}}{{name}}{{none}}", "a&lt;x&gt;b<i>&lt;x&gt;-", 0},
        {"{{half}} {{half|%+.2f}} {{nan|%.1f}} {{most}} {{drawn}}",
         "0.5 +0.50 - 18446744073709551615 {{name}}", 0},
        {"{{inside.name}} {{rows.1.n}} {{words.0}} {{none.name}} {{rows.@of}}", "y 2 a - rows", 0},
        {"{{inside|json}}", "{\n \"name\": \"y\"\n}\n", 0},
        {"{{rows.1.pair|plus}}", "3", 0},
        {"{{?name}}<{{name}}>{{/name}}.", "<&lt;x&gt;>.", 0},
        {"{{?no}}a{{/no}}{{^no}}b{{/no}}{{?yes}}c{{/yes}}{{^yes}}d{{/yes}}", "bc", 0},
        {"{{?empty}}a{{/empty}}{{^none}}b{{/none}}{{?rows}}c{{/rows}}{{?nan}}d{{/nan}}", "bc", 0},
        {"{{#rows}}{{@number}}{{n}}{{name}}{{?@note}}{{@note}}{{/@note}} {{/rows}}",
         "11&lt;x&gt; 22&lt;x&gt;last ", 0},
        {"{{#rows}}{{#pair}}{{.}},{{n}};{{/pair}}{{/rows}}", "0,1;0,1;1,2;2,2;", 0},
        {"{{#inside}}{{name}}{{/inside}}{{#empty}}{{other}}{{/empty}}{{#none}}x{{/none}}", "y", 0},
        {"{{?no}}{{?no}}a{{/no}}b{{/no}}c{{?yes}}{{?yes}}d{{/yes}}e{{/yes}}f", "cdef", 0},
        {"a{{?no}}{{?name}}b{{/name}}{{#rows}}{{/rows}}{{/no}}c", "ac", 0},
        {"a{ {name}}", "a{ {name}}", 0},
        {"a{{other}}", "a", TEMPLATE_WRONG},
        {"a{{inside.other}}", "a", TEMPLATE_WRONG},
        {"a{{?other}}b{{/other}}", "a", TEMPLATE_WRONG},
        {"a{{rows}}", "a", TEMPLATE_WRONG},
        {"a{{half|%d}}", "a", TEMPLATE_WRONG},
        {"a{{half|%s%f}}", "a", TEMPLATE_WRONG},
        {"a{{half|none}}", "a", TEMPLATE_WRONG},
        {"a{{name", "a", TEMPLATE_WRONG},
        {"a{{?no}}b", "a", TEMPLATE_WRONG},
        {"a{{?name}}b", "ab", TEMPLATE_WRONG},
        {"a{{/name}}b", "a", TEMPLATE_WRONG},
        {"a{{?name}}b{{/no}}", "ab", TEMPLATE_WRONG},
        {"a{{?name}}b{{?yes}}c{{/name}}d{{/yes}}", "abc", TEMPLATE_WRONG},
        {"[{{name|%-5s}}] [{{half|%6.2f}}] [{{half|%-6.2f}}] [{{inside.name|%3s}}]",
         "[&lt;x&gt;] [  0.50] [0.50  ] [  y]", 0},
        {"[{{rows.1.pair|plus%4s}}][{{rows.1.pair|plus%-4s}}][{{none|%2s}}]", "[   3][3   ][ -]",
         0},
        {"{{#rows}}{{@index}}{{/rows}}", "01", 0},
        {"{{?yes}}\na\n{{/yes}}\n", "\na\n\n", 0},
    };
    struct document document;
    document_fill(&document);
    document_drawing(&document, "drawn", page_draw_name, "{{name}}");
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        char *text;
        size_t size;
        FILE *file = page_begin(&text, &size);
        int status = template_write(file, pages[i].source, &document.root, formats);
        fclose(file);
        assert_string_equal(text, pages[i].page);
        assert_int_equal(status, pages[i].status);
        free(text);
    }
    document_free(&document);
}

/* A line of nothing but a tag of a part is none, and what is no control character stands for
 * itself. */
static void texts_are_their_source_with_values(void **state)
{
    (void)state;
    static const struct {
        const char *source, *text;
        int status;
    } texts_of[] = {
        {"{{name}}|{{name|%-5s}}|{{@markup}}|{{control}}", "<x>|<x>  |<i>|\\x1b[m", 0},
        {"{{#rows}}\n{{@index}} {{n}}\n{{/rows}}\nend\n", "0 1\n1 2\nend\n", 0},
        {"a\n{{?no}}\nb\n{{/no}}\n{{^no}}\nc\n{{/no}}\n", "a\nc\n", 0},
        {"{{?yes}}\n\nb\n{{/yes}}\n", "\nb\n", 0},
        {"{{?yes}} \n{{/yes}}{{?yes}}\n{{/yes}}", " \n\n", 0},
        {"{{other}}\n", "", TEMPLATE_WRONG},
    };
    struct document document;
    document_fill(&document);
    document_text(&document, "control", "\x1b[m");
    for (size_t i = 0; i < sizeof texts_of / sizeof texts_of[0]; i++) {
        char *text;
        size_t size;
        FILE *file = page_begin(&text, &size);
        int status = template_write_text(file, texts_of[i].source, &document.root, NULL);
        fclose(file);
        assert_string_equal(text, texts_of[i].text);
        assert_int_equal(status, texts_of[i].status);
        free(text);
    }
    document_free(&document);
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

/* Styles and scripts of a page stand behind those of all pages, and the policy names all digests. */
static void a_frame_has_what_a_page_brings(void **state)
{
    (void)state;
    struct document document;
    document_init(&document);
    document_text(&document, "name", "x");
    struct frame frame = {.kind = "thing",
                          .title = "T {{name}}",
                          .heading = "H {{name}}",
                          .facts = "F",
                          .body = "{{?name}}B {{name}}{{/name}}\n",
                          .style = {{"s{}", "sha256-S"}},
                          .script = {{"f()", "sha256-1"}, {"g()", "sha256-2"}},
                          .root = &document.root};
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
    assert_int_equal(frame_write(file, &frame), TEMPLATE_WRONG);
    fclose(file);
    free(text);
    document_free(&document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_no_markup),
        cmocka_unit_test(every_pair_of_bytes_is_harmless),
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(objects_and_arrays),
        cmocka_unit_test(documents_are_json_without_what_is_for_pages),
        cmocka_unit_test(documents_have_room),
        cmocka_unit_test(pages_are_their_source_with_values),
        cmocka_unit_test(texts_are_their_source_with_values),
        cmocka_unit_test(lines_are_separated),
        cmocka_unit_test(a_frame_has_what_a_page_brings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
