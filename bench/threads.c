/* bench-threads: one product on one thread and on two, ours and the libraries', in one contest;
 * what counts is each one's ratio to itself. Not pinned: the two threads need two processors. */
#include "bench/ours.h"
#include "bench/program.h"
#include "ir/machine/machine.h"
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { THREADS = 2, MAX_OURS = 8, MAX_STATES = 2 * BENCH_MAX_RIVALS };

typedef struct threaded {
    const bench_rival *rival;
    bench_problem *problem;
    int threads;
} threaded;

static void call(void *state)
{
    const threaded *s = state;
    omp_set_num_threads(s->threads);
    if (s->rival->threads)
        s->rival->threads(s->threads);
    s->rival->gemm(s->problem);
}

static void add(bench_contest *t, bench_problem *p, bench_kind kind, const char *label, int threads,
                void (*run)(void *), void *state)
{
    char name[32];
    snprintf(name, sizeof name, "%.20s %d", label, threads);
    bench_contest_add(t, kind, name, bench_problem_flops(p), run, state,
                      bench_program_try(p, run, state));
}

/* The name without the number of threads. */
static const char *who(const bench_contestant *c)
{
    static char name[32];
    snprintf(name, sizeof name, "%s", c->name);
    *strrchr(name, ' ') = '\0';
    return name;
}

static void row(const bench_contest *t, int i)
{
    printf("  %-12s %8.1f %8.1f %8.3fx%s\n", who(&t->c[i]), bench_contest_speed(t, i),
           bench_contest_speed(t, i + 1), bench_contest_ratio(t, i + 1, i),
           t->c[i].error > 1e-4 || t->c[i + 1].error > 1e-4 ? "  computes wrongly" : "");
}

static void json(const bench_contest *t)
{
    printf("{\"isa\": \"%s\", \"id\": \"%s\", \"rounds\": %d, \"threads\": [",
           sq_machine_host_isa(), t->id, t->rounds);
    for (int i = 0; i < t->n; i += 2)
        printf("%s\n {\"name\": \"%s\", \"one\": %.2f, \"two\": %.2f, \"ratio\": %.4f}",
               i ? "," : "", who(&t->c[i]), bench_contest_speed(t, i),
               bench_contest_speed(t, i + 1), bench_contest_ratio(t, i + 1, i));
    printf("\n]}\n");
}

static void contest(bench_program *b, bench_contest *t, bench_problem *p)
{
    static bench_ours ours[2][MAX_OURS];
    static threaded state[MAX_STATES];
    int n = bench_ours_open(p, b->kernels, ours[0], MAX_OURS), s = 0;
    bench_ours_open(p, b->kernels, ours[1], MAX_OURS);
    snprintf(t->id, sizeof t->id, "%s", p->id);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < THREADS; k++) {
            ours[k][i].threads = k + 1;
            add(t, p, BENCH_OURS, ours[k][i].label, k + 1, bench_ours_call, &ours[k][i]);
        }
    for (int i = 0; i < b->nrivals; i++)
        for (int k = 0; k < THREADS && b->rival[i]->gemm; k++, s++) {
            state[s] = (threaded){b->rival[i], p, k + 1};
            add(t, p, BENCH_RIVAL, b->rival[i]->name, k + 1, call, &state[s]);
        }
    bench_contest_run(t, b->seconds, false);
    bench_ours_close(ours[0], n);
    bench_ours_close(ours[1], n);
}

int main(int argc, char **argv)
{
    static bench_program b;
    static bench_contest t;
    bench_program_open(&b, argc, argv, THREADS);
    if (b.list) {
        bench_program_list(&b, bench_threaded);
        return 0;
    }
    bench_problem p = bench_threaded[0];
    if (bench_problem_open(&p) != 0)
        return 3;
    contest(&b, &t, &p);
    if (b.json)
        json(&t);
    else
        printf("%s, f32, %s; GFLOP/s\n  %-12s %8s %8s\n", t.id, sq_machine_host_isa(), "",
               "1 thread", "2");
    for (int i = 0; !b.json && i < t.n; i += 2)
        row(&t, i);
    bench_problem_close(&p);
    return 0;
}
