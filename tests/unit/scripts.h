/* Scripts: what tests of transforms share: kernels with dependences, scripts that must be accepted,
 * calls that must be refused with a sentence. */
#ifndef SQ_TESTS_UNIT_SCRIPTS_H
#define SQ_TESTS_UNIT_SCRIPTS_H
#include "ir/dependence/deps.h"
#include "support/text.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/kernels.h"
#include "transforms/transform.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static sq_kernel *with_deps(sq_kernel *k)
{
    sq_diags *d = sq_diags_new();
    assert_int_equal(sq_deps_compute(k, d), 0);
    sq_diags_free(d);
    return k;
}

/* The canonical text of a schedule, in the kernel's arena. */
static const char *text_of(const sq_schedule *s)
{
    sq_text t = {0};
    sq_schedule_print(s, &t);
    return sq_text_take(&t, s->kernel->arena);
}

static bool same_group(const sq_group *a, const sq_group *b)
{
    bool same = a->kind == b->kind && a->nstmts == b->nstmts && a->nloops == b->nloops &&
                a->npacks == b->npacks && a->epilogue == b->epilogue &&
                memcmp(&a->micro, &b->micro, sizeof a->micro) == 0;
    for (int i = 0; same && i < a->nstmts; i++)
        same = a->stmt[i] == b->stmt[i];
    for (int i = 0; same && i < a->nloops; i++)
        same = strcmp(a->loop[i].name, b->loop[i].name) == 0 && a->loop[i].dim == b->loop[i].dim &&
               a->loop[i].step == b->loop[i].step && a->loop[i].runs == b->loop[i].runs &&
               a->loop[i].rows == b->loop[i].rows;
    for (int i = 0; same && i < a->npacks; i++) {
        const sq_pack *p = &a->pack[i], *q = &b->pack[i];
        same = p->array == q->array && p->loop == q->loop && p->npanels == q->npanels;
        for (int j = 0; same && j < p->npanels; j++)
            same = p->panel[j].dim == q->panel[j].dim && p->panel[j].block == q->panel[j].block;
    }
    return same;
}

static bool same_schedule(const sq_schedule *a, const sq_schedule *b)
{
    bool same = a->ngroups == b->ngroups;
    for (int i = 0; same && i < a->ngroups; i++)
        same = same_group(a->group[i], b->group[i]);
    return same;
}

/* Applies a script to the naive schedule; the first error's message in *message. */
static sq_schedule *apply(const sq_kernel *k, const char *script, int *result, const char **message)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(k, k->arena);
    *result = sq_script_apply(s, script, "<script>", k->arena, d);
    const char *m = sq_diags_message(d, 0);
    *message = m ? sq_arena_strdup(k->arena, m) : NULL;
    sq_diags_free(d);
    return s;
}

/* Applies, demands success, and that the canonical text gives the same schedule and text again. */
static const char *accepted(const sq_kernel *k, const char *script)
{
    int result;
    const char *message;
    sq_schedule *s = apply(k, script, &result, &message);
    if (result)
        print_error("%s: %s\n", script, message);
    assert_int_equal(result, 0);
    const char *text = text_of(s);
    sq_schedule *again = apply(k, text, &result, &message);
    if (result || !same_schedule(s, again))
        print_error("%s\n-> %s: %s\n-> %s\n", script, text, message ? message : "", text_of(again));
    assert_int_equal(result, 0);
    assert_true(same_schedule(s, again));
    assert_string_equal(text, text_of(again));
    return text;
}

/* Demands a refusal whose message contains text, and an unchanged schedule. */
static void refused(const sq_kernel *k, const char *script, const char *text)
{
    int result;
    const char *message;
    sq_schedule *s = apply(k, script, &result, &message);
    assert_int_equal(result, -1);
    assert_non_null(message);
    if (!strstr(message, text))
        print_error("%s: %s\n", script, message);
    assert_non_null(strstr(message, text));
    assert_true(same_schedule(s, sq_schedule_new(k, k->arena)));
}

#endif
