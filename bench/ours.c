/* Ours: opens shared objects by their names and calls what is in them. */
#include "bench/ours.h"
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const labels[] = {"naive", "untuned", "hand", "tuned", NULL};

typedef void gemm_function(float alpha, float beta, const float *a, const float *b, float *c);
typedef void plain_function(const float *a, const float *b, float *c);

int bench_ours_open(const bench_problem *p, const char *dir, bench_ours *to, int max)
{
    int n = 0;
    for (int i = 0; labels[i] && n < max; i++) {
        char path[4096];
        bench_ours *o = &to[n];
        snprintf(path, sizeof path, "%s/%s.%s.so", dir, p->id, labels[i]);
        if (access(path, F_OK) != 0)
            continue;
        *o = (bench_ours){.problem = p};
        snprintf(o->label, sizeof o->label, "%s", labels[i]);
        o->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        *(void **)&o->function = o->library ? dlsym(o->library, bench_problem_function(p)) : NULL;
        if (o->function)
            n++;
        else
            fprintf(stderr, "%s: %s\n", path, dlerror());
    }
    return n;
}

void bench_ours_close(bench_ours *o, int n)
{
    for (int i = 0; i < n; i++)
        if (o[i].library)
            dlclose(o[i].library);
}

void bench_ours_call(void *state)
{
    const bench_ours *o = state;
    const bench_problem *p = o->problem;
    if (o->threads)
        omp_set_num_threads(o->threads);
    if (strcmp(bench_problem_function(p), "gemm") == 0)
        ((gemm_function *)o->function)(1, 0, p->a, p->b, p->c);
    else
        ((plain_function *)o->function)(p->a, p->b, p->c);
}
