/* Diagnostics: the exact text of messages, marks, and what decides the exit code. */
#include "support/diag.h"
#include "tests/unit/unit.h"

static char *printed(const sq_diags *d, sq_diag_format format, int color)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    sq_diags_print(d, f, format, color);
    fclose(f);
    return text;
}

static void assert_prints(const sq_diags *d, sq_diag_format format, int color, const char *expected)
{
    char *text = printed(d, format, color);
    assert_string_equal(text, expected);
    free(text);
}

static void prints_as_gcc_does(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    const char source[] = "first\n\tout[y] = out[y-1];\r\nlast";
    sq_diags_source(d, "k.sq", source, sizeof source - 1);
    int result = sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 2, 2, 6}, "bad '%s'", "y");
    assert_int_equal(result, -1);
    sq_note(d, SQ_NOWHERE, "for example with N=1");
    sq_help(d, (sq_loc){"k.sq", 3, 1, 0}, "write this");
    assert_prints(d, SQ_DIAG_GCC, 0,
                  "k.sq:2:2: error: bad 'y'\n"
                  "    2 | \tout[y] = out[y-1];\n"
                  "      | \t^~~~~~\n"
                  "note: for example with N=1\n"
                  "k.sq:3:1: help: write this\n"
                  "    3 | last\n"
                  "      | ^\n");
    sq_diags_free(d);
}

static void places_outside_the_text(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_diags_source(d, "a", "xy", 2);
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"a", 1, 3, 1}, "at the end");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"a", 9, 1, 1}, "beyond");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"other", 1, 1, 1}, "unknown file");
    sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "no place");
    assert_prints(d, SQ_DIAG_GCC, 0,
                  "a:1:3: error: at the end\n    1 | xy\n      |   ^\n"
                  "a:9:1: error: beyond\n"
                  "other:1:1: error: unknown file\n"
                  "squall: error: no place\n");
    sq_diags_free(d);
}

static void counts_columns_not_bytes(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_diags_source(d, "a", "\xc3\xa4\xc3\xb6 = x", 8);
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"a", 1, 6, 1}, "m");
    char *text = printed(d, SQ_DIAG_GCC, 0);
    assert_non_null(strstr(text, "\n      |    ^\n")); /* two letters and a blank before it */
    free(text);
    sq_diags_free(d);
}

/* A line of 1000 letters of two bytes with an 'x' at letter `at`, and what is shown of it. */
static char *shown_of_long(int at)
{
    char line[2001] = "";
    for (int i = 0; i < 1000; i++)
        strcat(line, i == at ? "x" : "\xc3\xa4");
    sq_diags *d = sq_diags_new();
    sq_diags_source(d, "a", line, strlen(line));
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"a", 1, 2 * at + 1, 1500}, "m");
    char *text = printed(d, SQ_DIAG_GCC, 0);
    sq_diags_free(d);
    return text;
}

static int letters(const char *from, const char *to)
{
    int n = 0;
    for (; from < to; from++)
        n += ((unsigned char)*from & 0xc0) != 0x80;
    return n;
}

/* Of a long line 200 characters around the place are shown, whole ones, the caret below it. */
static void long_lines_are_cut(void **state)
{
    static const int at[] = {0, 1, 66, 67, 500, 899, 933, 998, 999};
    (void)state;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        char *text = shown_of_long(at[i]), *line = strstr(text, "    1 | ") + 8;
        char *end = strchr(line, '\n'), *under = strstr(end, "      | ") + 8;
        int front = strncmp(line, "...", 3) == 0 ? 3 : 0;
        int behind = strncmp(end - 3, "...", 3) == 0 ? 3 : 0;
        assert_int_equal(letters(line, end) - front - behind, 200);
        assert_true(front == (at[i] > 66 ? 3 : 0) && behind == (at[i] < 867 ? 3 : 0));
        assert_int_equal(letters(line, strchr(line, 'x')), strcspn(under, "^"));
        assert_int_equal(letters(under, strchr(under, '\n')) + behind, letters(line, end));
        assert_true(((unsigned char)line[front] & 0xc0) != 0x80); /* no half of a letter */
        free(text);
    }
}

/* Exactly as many as are shown: whole; tabs stay tabs below. */
static void short_lines_are_whole(void **state)
{
    char line[201], wanted[512];
    (void)state;
    memset(line, '\t', 200);
    line[200] = 0;
    snprintf(wanted, sizeof wanted, "a:1:200: error: m\n    1 | %s\n      | %.199s^\n", line, line);
    sq_diags *d = sq_diags_new();
    sq_diags_source(d, "a", line, 200);
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"a", 1, 200, 1}, "m");
    assert_prints(d, SQ_DIAG_GCC, 0, wanted);
    sq_diags_free(d);
}

static void prints_json(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    assert_prints(d, SQ_DIAG_JSON, 0, "[]\n");
    sq_error(d, SQ_FAULT_REFUSED, (sq_loc){"a\"b", 2, 3, 4}, "tab\t\\ and\nline"); /* messages are one line */
    sq_note(d, (sq_loc){"a\"b", 5, 6, 0}, "n");
    sq_help(d, SQ_NOWHERE, "h");
    sq_warning(d, SQ_NOWHERE, "w");
    assert_prints(d, SQ_DIAG_JSON, 0,
                  "[\n{\"severity\":\"error\",\"message\":\"tab\\u0009\\\\ and line\","
                  "\"file\":\"a\\\"b\",\"line\":2,\"column\":3,\"length\":4,\"code\":2,\"notes\":["
                  "{\"severity\":\"note\",\"message\":\"n\",\"file\":\"a\\\"b\",\"line\":5,"
                  "\"column\":6,\"length\":0},{\"severity\":\"help\",\"message\":\"h\"}]},\n"
                  "{\"severity\":\"warning\",\"message\":\"w\",\"notes\":[]}\n]\n");
    sq_diags_free(d);
}

/* Bytes that are no UTF-8: a stray one, one cut short, one too long, half of a pair. */
static void prints_json_of_any_bytes(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_warning(d, SQ_NOWHERE, "%s", "\xff \xc3\xa4 \xe2\x82 \xc0\xaf \xed\xa0\x80\x7f");
    assert_prints(d, SQ_DIAG_JSON, 0,
                  "[\n{\"severity\":\"warning\",\"message\":\"\\ufffd \xc3\xa4 \\ufffd\\ufffd "
                  "\\ufffd\\ufffd \\ufffd\\ufffd\\ufffd\\u007f\",\"notes\":[]}\n]\n");
    sq_diags_free(d);
}

static void colors_only_when_told(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_error(d, SQ_FAULT_INPUT, SQ_NOWHERE, "m");
    char *with = printed(d, SQ_DIAG_GCC, 1), *without = printed(d, SQ_DIAG_GCC, 0);
    assert_non_null(strchr(with, '\033'));
    assert_null(strchr(without, '\033'));
    free(with);
    free(without);
    sq_diags_free(d);
}

static void first_error_decides(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_NONE);
    sq_warning(d, SQ_NOWHERE, "w");
    assert_int_equal(sq_diags_errors(d), 0);
    size_t mark = sq_diags_mark(d);
    sq_error(d, SQ_FAULT_REFUSED, SQ_NOWHERE, "first");
    sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "second");
    assert_int_equal(sq_diags_errors(d), 2);
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_REFUSED);
    assert_string_equal(sq_diags_message(d, mark), "first");
    assert_string_equal(sq_diags_message(d, mark + 1), "second");
    sq_diags_rewind(d, mark);
    assert_int_equal(sq_diags_errors(d), 0);
    assert_int_equal(sq_diags_fault(d), SQ_FAULT_NONE);
    assert_null(sq_diags_message(d, 0));
    sq_diags_free(d);
}

/* The name of the file may be gone when the list is printed. */
static void copies_file_names(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    char name[] = "k.sq";
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){name, 1, 1, 1}, "m");
    memset(name, 'x', 4);
    assert_prints(d, SQ_DIAG_GCC, 0, "k.sq:1:1: error: m\n");
    sq_diags_free(d);
}

/* Each with what is behind it, from the mark on; nothing passes what has no place in the file. What was said is not
 * said again. */
static void sorts_by_place(void **state)
{
    (void)state;
    sq_diags *d = sq_diags_new();
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 9, 1, 1}, "kept");
    size_t mark = sq_diags_mark(d);
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 5, 3, 1}, "e5");
    sq_help(d, SQ_NOWHERE, "h5");
    sq_warning(d, (sq_loc){"k.sq", 7, 1, 1}, "w7");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 5, 3, 1}, "again");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 5, 1, 1}, "left");
    sq_note(d, (sq_loc){"k.sq", 1, 1, 1}, "n1");
    sq_help(d, SQ_NOWHERE, "h1");
    sq_error(d, SQ_FAULT_INPUT, SQ_NOWHERE, "nowhere");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 2, 1, 1}, "late");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 5, 3, 1}, "e5");
    sq_note(d, (sq_loc){"k.sq", 8, 1, 1}, "said once");
    sq_error(d, SQ_FAULT_INPUT, (sq_loc){"k.sq", 5, 4, 1}, "e5");
    sq_diags_sort(d, mark);
    static const char *const order[] = {"kept", "left",  "n1", "h1",      "e5",
                                        "h5",   "again", "w7", "nowhere", "late", "e5"};
    assert_null(sq_diags_at(d, sizeof order / sizeof *order));
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        assert_string_equal(sq_diags_at(d, i)->message, order[i]);
    sq_diags_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prints_as_gcc_does),       cmocka_unit_test(places_outside_the_text),
        cmocka_unit_test(counts_columns_not_bytes), cmocka_unit_test(prints_json),
        cmocka_unit_test(prints_json_of_any_bytes), cmocka_unit_test(colors_only_when_told),
        cmocka_unit_test(first_error_decides),      cmocka_unit_test(copies_file_names),
        cmocka_unit_test(long_lines_are_cut),       cmocka_unit_test(short_lines_are_whole),
        cmocka_unit_test(sorts_by_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
