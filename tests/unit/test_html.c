/* cli/html: words in backticks are code; a plot names as many marks of an axis as it has room for. */
#include "cli/html/html.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

const char sq_html_style[] = "";

static void test_prose(void **state)
{
    (void)state;
    static const struct {
        const char *text, *html;
    } rows[] = {{"plain & <b>", "plain &amp; &lt;b&gt;"},
                {"inside `loop`, `a<b`", "inside <code>loop</code>, <code>a&lt;b</code>"},
                {"`at`", "<code>at</code>"},
                {"one ` alone", "one ` alone"},
                {"`two` and ` alone", "<code>two</code> and ` alone"},
                {"``", "<code></code>"},
                {"", ""}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sq_html h = {0};
        sq_html_put_prose(&h, rows[i].text);
        assert_string_equal(sq_text_str(&h.body), rows[i].html);
        sq_html_paragraph(&h, "note", "%s", rows[i].text);
        assert_non_null(strstr(sq_text_str(&h.body), rows[i].html));
        sq_html_free(&h);
    }
}

/* How many names "2xx" of marks the figure has between two places. */
static int names_between(const char *from, const char *to)
{
    int n = 0;
    for (const char *p = from; (p = strstr(p, ">2")) && p < to; p++)
        n += strspn(p + 1, "0123456789") == 3;
    return n;
}

static void test_names(void **state)
{
    (void)state;
    static const char *const name[] = {"200", "201", "202", "203", "204", "205", "206", "207",
                                       "208", "209", "210", "211", "212", "213", "214", "215"};
    static const double x[] = {0, 15}, y[] = {0, 15};
    const sq_series s = {.mark = SQ_MARK_SQUARES, .color = SQ_RAMP, .n = 2, .x = x, .y = y};
    sq_figure f = {.caption = "marks",
                   .alt = "marks",
                   .x = "x",
                   .y = "y",
                   .has_x = true,
                   .has_y = true,
                   .from_x = -0.6,
                   .to_x = 15.6,
                   .from_y = -0.6,
                   .to_y = 15.6,
                   .nx = 16,
                   .name_x = name,
                   .n = 1,
                   .series = &s};
    for (int vertical = 0; vertical < 2; vertical++) {
        sq_html h = {0};
        sq_html_plot(&h, &f);
        if (h.no_plots) {
            print_message("%s\n", h.no_plots);
            sq_html_free(&h);
            skip();
        }
        const char *all = sq_text_str(&h.body), *narrow = strstr(all, "class=\"narrow\"");
        assert_non_null(narrow);
        /* Letters of 8 pixels on 600, and on 300: four for a name and a blank. */
        assert_int_equal(names_between(all, narrow), 16);
        assert_in_range(names_between(narrow, all + strlen(all)), 4, vertical ? 11 : 8);
        sq_html_free(&h);
        f.nx = 0;
        f.ny = 16;
        f.name_y = name;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_prose), cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
