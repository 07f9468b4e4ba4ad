/* Pairs: how the comparison of a candidate with the best judges timings that were recorded, of one text on both sides
 * (tests/unit/pairs.txt, see there). As they are, one in a hundred may win; with a candidate's timings made 3 % shorter
 * 95 of them should (docs/TUNING.md, "How sure a comparison is"). */
#include "runtime/times.h"
#include "tests/unit/unit.h"
#include "tuner/tune.h"

enum { LINE_BYTES = 4096, MOST_RUNS = 100 };
static const double gain = 0.03;

/* Timings of one process. */
typedef struct run {
    sq_times a, b;
} run;

/* Those of a kernel: of each two the measurement and its confirmation. */
typedef struct kernel {
    run of[2 * MOST_RUNS];
    int n;
} kernel;

static kernel gemm, dwconv;

static void read_times(const char *from, sq_times *to)
{
    char *end;
    for (to->n = 0; to->n < SQ_MOST_TIMES; from = end) {
        double t = strtod(from, &end);
        if (end == from)
            break;
        to->of[to->n++] = t * 1e-9;
    }
}

static void read_run(const char *line, const char *middle, kernel *k)
{
    assert_true(k->n < 2 * MOST_RUNS);
    run *r = &k->of[k->n++];
    read_times(line, &r->a);
    read_times(middle + 1, &r->b);
    assert_true(r->a.n == r->b.n && r->a.n >= 5);
}

static int read_runs(void **state)
{
    char path[600], line[LINE_BYTES];
    kernel *to = NULL;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/unit/pairs.txt", getenv("SQUALL_SOURCE"));
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        const char *middle = strchr(line, '|');
        to = strstr(line, "# gemm") == line ? &gemm : strstr(line, "# dwconv") == line ? &dwconv : to;
        if (line[0] != '#' && middle)
            read_run(line, middle, to);
    }
    fclose(f);
    assert_true(gemm.n == 2 * MOST_RUNS && dwconv.n == 2 * MOST_RUNS);
    return 0;
}

/* What the harness would have reported of a candidate whose calls take `factor` of what was recorded: it gives up where
 * there is no hope. */
static sq_sample sample_of(const run *r, bool swapped, double factor)
{
    const sq_times *new_one = swapped ? &r->b : &r->a, *old_one = swapped ? &r->a : &r->b;
    sq_sample s = {.status = SQ_OK};
    sq_times a = {0}, b = {0};
    while (a.n < new_one->n && (a.n == 0 || !sq_times_hopeless(&a, &b, false))) {
        b.of[b.n++] = s.base[s.nbase++] = old_one->of[a.n];
        s.times[s.n++] = a.of[a.n] = factor * new_one->of[a.n];
        a.n++;
    }
    return s;
}

/* The verdict by processes from this one on. */
static bool wins(const kernel *k, int first, bool swapped, double factor, int *asked)
{
    sq_evidence e = {0};
    for (int i = first;; i++) {
        sq_sample s = sample_of(&k->of[i % k->n], swapped ^ (i / k->n), factor);
        sq_judgement v = sq_evidence_add(&e, sq_paired_ratio(&s));
        ++*asked;
        if (v != SQ_UNCLEAR)
            return v == SQ_FASTER;
    }
}

/* The share of candidates that are believed. */
static double share_of_wins(const kernel *k, double factor)
{
    int won = 0, all = 0, asked = 0;
    for (int i = 0; i < k->n; i++)
        for (int swapped = 0; swapped < 2; swapped++, all++)
            won += wins(k, i, swapped, factor, &asked);
    print_message("%s, %.1f %% faster: %d of %d win, after %.1f processes\n", k == &gemm ? "gemm" : "dwconv",
                  100 * (1 - factor), won, all, (double)asked / all);
    return (double)won / all;
}

static void judged(const kernel *k)
{
    assert_true(share_of_wins(k, 1) <= 0.01);
    assert_true(share_of_wins(k, 1 - gain) >= 0.95);
    share_of_wins(k, 1 - gain / 2);
    share_of_wins(k, 1 + gain);
}

/* gemm's calls take 3 ms each, with a spread of 1 % from process to process. */
static void long_calls(void **state)
{
    (void)state;
    judged(&gemm);
}

/* dwconv's take 15 us, and where a process has its code and memory makes a spread of 3 %. */
static void short_calls(void **state)
{
    (void)state;
    judged(&dwconv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_calls), cmocka_unit_test(short_calls)};
    return cmocka_run_group_tests(tests, read_runs, NULL);
}
