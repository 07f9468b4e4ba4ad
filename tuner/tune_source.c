/* Tune source: a candidate's text. Everything a script needs is made in an arena of its own and
 * thrown away, diagnostics too: a refusal is a result here. isl's work is bounded, because one odd
 * script among hundreds must not hold up the run. */
#include "transforms/transform.h"
#include "tuner/tune.h"
#include <inttypes.h>
#include <isl/ctx.h>
#include <stdio.h>
#include <string.h>

enum { ISL_OPERATIONS = 5000000 };
static const char candidate[] = "squall_candidate";

static int emit_kernel(const sq_tune_emitter *e, const sq_kernel *k, const char *script,
                       sq_text *to, sq_arena *arena, sq_diags *d)
{
    sq_schedule *s = sq_schedule_new(k, arena);
    sq_emit_options o = e->emit;
    o.function = candidate;
    o.is_embedded = true; /* other headers take the compiler a tenth of its time */
    o.shares_pool = !e->simulated;
    o.is_static = true;
    o.is_untested = !e->simulated; /* the harness compares */
    o.provenance = "";             /* a file of its own, with what it includes */
    if (sq_script_apply(s, script, "script", arena, d) < 0 || sq_emit_source(s, &o, to, d) < 0)
        return -1;
    if (!e->simulated)
        o.target->language->entry(s->kernel, o.function, SQ_ENTRY, to); /* with its temporaries */
    else
        sq_candidate_workspace(s->kernel, to);
    return 0;
}

static int emit(const sq_tune_emitter *e, const char *script, sq_text *to, sq_arena *arena,
                sq_diags *d)
{
    if (emit_kernel(e, e->kernel, script, to, arena, d) < 0)
        return -1;
    if (!e->simulated || e->simulated == e->kernel)
        return 0;
    sq_text_clear(to);
    return emit_kernel(e, e->simulated, script, to, arena, d);
}

int sq_tune_source(const sq_tune_emitter *e, const char *script, sq_text *to, char *why, size_t n)
{
    isl_ctx *ctx = e->kernel->ctx;
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    isl_ctx_set_max_operations(ctx, ISL_OPERATIONS);
    int rc = emit(e, script, to, arena, d);
    isl_ctx_set_max_operations(ctx, 0);
    if (rc < 0) {
        const char *message = sq_diags_message(d, 0);
        bool overrun = isl_ctx_last_error(ctx) == isl_error_quota;
        snprintf(why, n, "%.380s",
                 overrun   ? "too much work for the polyhedral library"
                 : message ? message
                           : "cannot be emitted");
        isl_ctx_reset_error(ctx);
        isl_ctx_reset_operations(ctx);
    }
    isl_ctx_reset_operations(ctx);
    sq_diags_free(d);
    sq_arena_free(arena);
    return rc;
}

void sq_tune_linked(const sq_kernel *k, sq_text *to)
{
    sq_emit_pool(k, candidate, to);
}

void sq_sizes_text(const sq_kernel *k, const int64_t *sizes, sq_text *to)
{
    for (int i = 0; i < k->nsizes; i++)
        sq_text_printf(to, "%s%s=%" PRId64, i ? "," : "", k->size[i]->name,
                       k->size[i]->fixed ? k->size[i]->value : sizes[i]);
}
