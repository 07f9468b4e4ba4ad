/* Tune view: what its lines say, at widths down to none; the trend, however many values it has; when plain lines
 * come. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "tests/unit/unit.h"
#include "cli/tune_shown.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const long failed[SQ_NSTATUSES] = {
    [SQ_OK] = 157, [SQ_INFEASIBLE] = 5, [SQ_BUILD_FAILED] = 4, [SQ_TIMEOUT] = 2, [SQ_WRONG] = 1};

static sq_trend trend_of(const double *value, int n)
{
    sq_trend t = {0};
    for (int i = 0; i < n; i++)
        sq_trend_add(&t, value[i]);
    return t;
}

static sq_tune_view view_of(const sq_trend *t)
{
    return (sq_tune_view){.title = "gemm M=512,N=512,K=512",
                          .part = "1 of 3",
                          .best = "1.00 ms, 8.00x the untuned",
                          .trend = t,
                          .from = "from 8.00 ms",
                          .last_gain = 12,
                          .trials = 164,
                          .measured = 160,
                          .elapsed = 200,
                          .failed = failed,
                          .spent = 200,
                          .budget = 4000,
                          .doing = "default: storm, 3 of 40 points"};
}

static void lines(void **state)
{
    (void)state;
    static const double value[] = {8, 4, 2, 1, 1};
    sq_trend t = trend_of(value, 5);
    sq_tune_view v = view_of(&t);
    sq_text to = {0};
    sq_tune_view_put(&v, 79, true, false, &to);
    assert_string_equal(sq_text_str(&to), "gemm M=512,N=512,K=512  (1 of 3)\n"
                                          "trend   from 8.00 ms  █▆▃▁▁  last gain 0:12 ago\n"
                                          "best    1.00 ms, 8.00x the untuned\n"
                                          "trials  164, 48 a minute\n"
                                          "failed  12 of 169 (7 %): 5 refused, 4 not built, 2 timed out, 1 wrong\n"
                                          "time    3:20 of 1:06:40, 1:03:20 left\n"
                                          "now     default: storm, 3 of 40 points\n");
    sq_text_clear(&to);
    v.most = 200;
    v.best = NULL;
    sq_tune_view_put(&v, 79, false, false, &to);
    assert_non_null(strstr(sq_text_str(&to), "\ntrend   from 8.00 ms  '-.__  last gain 0:12 ago\n"
                                             "best    nothing yet\n"));
    assert_non_null(strstr(sq_text_str(&to), "\ntrials  164 of 200, 48 a minute\n"));
    assert_non_null(strstr(sq_text_str(&to), "\ntime    3:20 of 1:06:40, some 0:45 left\n"));
    sq_text_clear(&to);
    v.after = 2; /* kernels to come, of 200 trials each */
    sq_tune_view_put(&v, 40, false, false, &to);
    assert_non_null(strstr(sq_text_str(&to), "\ntrend   from 8.00 ms  '-.__\nbest    nothing yet\n"));
    assert_non_null(strstr(sq_text_str(&to), "\ntime    3:20 of 1:06:40, some 9:05 left\n"));
    sq_text_clear(&to);
    v.spent = 0.3;
    v.budget = 0.4;
    sq_tune_view_put(&v, 30, false, false, &to);
    assert_non_null(strstr(sq_text_str(&to), "\ntrend   '-.__\n"));
    assert_non_null(strstr(sq_text_str(&to), "\ntime    0:00 of 0:01\n"));
    sq_text_free(&to);
    sq_trend_free(&t);
}

static int widest(const char *s)
{
    int most = 0, n = 0;
    for (; *s; s++) {
        n = *s == '\n' ? 0 : n + (((unsigned char)*s & 0xc0) != 0x80);
        most = n > most ? n : most;
    }
    return most;
}

/* Seven lines at any width, none wider, colours not counted. */
static void widths(void **state)
{
    (void)state;
    double value[500];
    for (int i = 0; i < 500; i++)
        value[i] = 1000 - i;
    sq_trend t = trend_of(value, 500);
    sq_tune_view v = view_of(&t);
    for (int columns = 0; columns < 220; columns++)
        for (int utf8 = 0; utf8 < 2; utf8++) {
            int count = 0;
            sq_text to = {0}, coloured = {0};
            sq_tune_view_put(&v, columns, utf8, false, &to);
            assert_true(widest(sq_text_str(&to)) <= columns);
            for (const char *s = sq_text_str(&to); *s; s++)
                count += *s == '\n';
            assert_int_equal(count, 7);
            sq_tune_view_put(&v, columns, utf8, true, &coloured);
            for (const char *s = sq_text_str(&coloured); *s; s = strchr(s, '\n') + 1) {
                size_t n = strcspn(s, "\n");
                char *line = strndup(s, n);
                assert_int_equal(sq_terminal_fit(line, columns), n);
                free(line);
            }
            sq_text_free(&to);
            sq_text_free(&coloured);
        }
    sq_trend_free(&t);
}

/* It never rises, begins high and ends low, and has as many characters as there is room, or values. */
static void trends(void **state)
{
    (void)state;
    static const int counts[] = {1, 7, 59, 60, 61, SQ_TREND_MOST, SQ_TREND_MOST + 1, 3 * SQ_TREND_MOST + 5};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        sq_trend t = {0};
        sq_text to = {0};
        for (int i = 0; i < counts[c]; i++)
            sq_trend_add(&t, 10 - 9 * (double)i / counts[c]);
        sq_trend_put(&t, 60, false, &to);
        const char *s = sq_text_str(&to), *order = "'-._";
        assert_int_equal(strlen(s), counts[c] < 60 ? counts[c] : 60);
        assert_true(counts[c] < 7 || *s == '\'');
        assert_int_equal(s[strlen(s) - 1], '_');
        for (; s[1]; s++)
            assert_true(strchr(order, s[1]) >= strchr(order, s[0]));
        sq_text_free(&to);
        sq_trend_free(&t);
    }
}

/* Nothing is measured but the clock: it is the progress whose last line is set back. */
static void plain_lines(void **state)
{
    (void)state;
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    sq_progress p;
    sq_tune_shown x;
    sq_tune_view v = view_of(NULL);
    const sq_settings o = {0};
    sq_progress_open(&p, to, SQ_PROGRESS_PLAIN);
    sq_tune_shown_open(&x, &p, &o, v.title, "for 60 s");
    assert_string_equal(text, "gemm M=512,N=512,K=512: tunes, for 60 s\n");
    sq_tune_shown_add(&x, 1, 1, true, true);
    assert_true(x.gained < 0);
    assert_false(sq_tune_shown_is_due(&x)); /* so soon */
    p.last -= 9;
    assert_false(sq_tune_shown_is_due(&x));
    p.last -= 2;
    assert_true(sq_tune_shown_is_due(&x));
    sq_tune_shown_put(&x, &v);
    assert_string_equal(strchr(text, '\n') + 1,
                        "gemm M=512,N=512,K=512  3:20 of 1:06:40  1 of 3  164 trials (12 failed)"
                        "  best 1.00 ms, 8.00x the untuned\n");
    p.last -= 290;
    sq_tune_shown_add(&x, 1, 7, false, false);
    assert_true(x.gained < 0);
    sq_tune_shown_add(&x, 1, 8, true, false);
    assert_true(x.gained == 8);
    x.news = false;
    assert_false(sq_tune_shown_is_due(&x)); /* nothing is better */
    x.shown -= 301;
    assert_true(sq_tune_shown_is_due(&x)); /* a sign of life */
    sq_tune_shown_close(&x);
    fclose(to);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines), cmocka_unit_test(widths), cmocka_unit_test(trends),
                                       cmocka_unit_test(plain_lines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
