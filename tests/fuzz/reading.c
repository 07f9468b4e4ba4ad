/* Reading: see reading.h. */
#include "tests/fuzz/reading.h"
#include "ir/dependence/deps.h"
#include <isl/options.h>
#include <stdlib.h>
#include <string.h>

isl_ctx *new_context(void)
{
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    return ctx;
}

char *text_of(const program *p)
{
    sq_text text = {0};
    if (p->region)
        program_print_region(p, PROGRAM_NAME, &text);
    else
        program_print(p, &text);
    return text.s;
}

/* Has C the same bits? Under fp strict not where squall has functions of its own. */
static bool is_comparable(const program *p, const char *text)
{
    static const char *const own[] = {"tanh", "exp", "log", "erf", "sigmoid", "rsqrt"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (p->fp == SQ_FP_STRICT && strstr(text, own[i]))
            return false;
    return true;
}

static sq_unit *read_text(isl_ctx *ctx, const char *path, const char *text, int nfix,
                          const sq_fix *fix, sq_diags *d)
{
    sq_parse_options o = {.nfix = nfix, .fix = fix};
    sq_unit *u = sq_parse(ctx, path, text, strlen(text), &o, d);
    for (int i = 0; u && i < u->nkernels; i++)
        if (sq_kernel_check(u->kernel[i], d) < 0)
            u = sq_unit_free(u);
    return u;
}

static int number_of(const sq_unit *u)
{
    int i = 0;
    while (i < u->nkernels - 1 && strcmp(u->kernel[i]->name, PROGRAM_NAME) != 0)
        i++;
    return i;
}

int reading_open(reading *x, const program *p, int nfix, const sq_fix *fix, sq_diags *d)
{
    *x = (reading){.p = p, .ctx = new_context(), .text = text_of(p)};
    x->comparable = is_comparable(p, x->text);
    x->unit = read_text(x->ctx, p->region ? "fuzzed.c" : "fuzzed.sq", x->text, nfix, fix, d);
    if (!x->unit)
        return -1;
    for (int i = 0; i < x->unit->nkernels; i++)
        if (sq_deps_compute(x->unit->kernel[i], d) < 0)
            return -1;
    x->number = number_of(x->unit);
    x->outside = x->kernel = x->unit->kernel[x->number];
    if (p->region) {
        sq_text same = {0};
        program_print(p, &same);
        x->description = read_text(x->ctx, "fuzzed.sq", same.s, 0, NULL, d);
        sq_text_free(&same);
        if (!x->description)
            return -1;
        x->outside = x->description->kernel[number_of(x->description)];
    }
    return 0;
}

void reading_close(reading *x)
{
    free(x->text);
    sq_unit_free(x->unit);
    sq_unit_free(x->description);
    isl_ctx_free(x->ctx);
}
