/* Forms: finds them; see forms.h. */
#include "tuner/space/forms.h"
#include "ir/kernel/touch.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <isl/map.h>
#include <string.h>

void sq_form_put(const sq_form *f, long tile, sq_text *to)
{
    sq_text_puts(to, f->script);
    if (f->most)
        sq_text_printf(to, "online(%s, %s:%ld) ", f->most, f->index, tile);
}

const char *sq_form_script(const sq_form *f, long tile, sq_arena *arena)
{
    sq_text t = {0};
    sq_form_put(f, tile, &t);
    return sq_text_take(&t, arena);
}

/* ---- values that are read once ---- */

/* True if no two instances of a sum's body read the same element there: then the value is computed
 * no more often than before. */
static bool reads_once(const sq_kernel *k, const sq_stmt *c, const sq_access *read)
{
    isl_map *m = sq_touch_rel(k, c, read, true);
    bool once = isl_map_is_injective(m) == isl_bool_true;
    isl_map_free(m);
    return once;
}

/* True for a temporary filled by a statement without a sum and read at one place, in the body of a
 * sum. Values read by statements over the same points stay in registers without being inlined. */
static bool is_read_once(const sq_kernel *k, const sq_stmt *p)
{
    int places = 0;
    bool once = !p->updates && p->write->array->role == SQ_LOCAL;
    for (int i = 0; i < k->nstmts && once; i++) {
        sq_access *read[SQ_MAX_STMT_READS];
        bool in_body[SQ_MAX_STMT_READS];
        const sq_stmt *c = k->stmt[i];
        int n = sq_stmt_all_reads(c, read, in_body);
        once = c == p || c->write->array != p->write->array;
        for (int r = 0; r < n && once; r++)
            if (read[r]->array == p->write->array)
                once = ++places == 1 && in_body[r] && c->updates && reads_once(k, c, read[r]);
    }
    return once && places == 1;
}

static const sq_stmt *next_read_once(const sq_schedule *s, const bool *refused)
{
    for (int i = 0; i < s->kernel->nstmts; i++)
        if (!refused[i] && is_read_once(s->kernel, s->kernel->stmt[i]))
            return s->kernel->stmt[i];
    return NULL;
}

/* Inlines all of them, one after the other. */
static bool inlined(const sq_schedule *naive, sq_arena *arena, sq_form *f)
{
    bool *refused = SQ_NEW_ARRAY(arena, bool, naive->kernel->nstmts + 1), any = false;
    sq_schedule *s = sq_schedule_copy(naive, arena);
    *f = (sq_form){.script = "", .start = s, .pays = true};
    for (const sq_stmt *p; (p = next_read_once(s, refused));) {
        const char *call = sq_arena_printf(arena, "inline(%s) ", p->name);
        int position = p->position;
        if (!sq_script_try(s, call, arena)) {
            refused[position] = true;
            continue;
        }
        memmove(refused + position, refused + position + 1,
                sizeof *refused * (size_t)(s->kernel->nstmts - position));
        f->script = sq_arena_printf(arena, "%s%s", f->script, call);
        any = true;
    }
    return any;
}

/* ---- maxima and their sums by tiles ---- */

/* True if there is a sum over the maximum's index with more dimensions than the maximum: each of
 * its exponentials is used many times, so that recomputing them for a tile costs little. Without
 * such a sum the rows stay in a cache anyway, and every exponential would be computed twice. */
static bool weighs(const sq_schedule *s, const char *most)
{
    int rows = -1;
    for (int g = 0; g < s->ngroups; g++) {
        const sq_stmt *st = s->group[g]->stmt[0];
        bool in_tiles = sq_fusion_length(s, sq_fusion_head(s, g)) > 1;
        if (in_tiles && strcmp(st->name, most) == 0)
            rows = st->write->array->ndim;
        else if (in_tiles && rows >= 0 && st->updates && st->write->array->ndim > rows)
            return true;
    }
    return false;
}

static bool try_online(const sq_schedule *naive, const sq_stmt *most, const char *before,
                       sq_arena *arena, sq_form *f)
{
    sq_schedule *s = sq_schedule_copy(naive, arena);
    *f = (sq_form){
        .script = before, .start = s, .most = most->name, .index = most->dim[most->nfree]};
    if (!sq_script_try(s, sq_form_script(f, SQ_FORM_TILE, arena), arena))
        return false;
    f->pays = weighs(s, most->name);
    return true;
}

/* Finds a maximum over one index, as it is, or after inlining the statement that computes exp(x -
 * m). */
static bool online(const sq_schedule *naive, sq_arena *arena, sq_form *f)
{
    const sq_kernel *k = naive->kernel;
    for (int i = 0; i < k->nstmts && k->fp == SQ_FP_FAST; i++) {
        const sq_stmt *m = k->stmt[i];
        if (m->reduce != SQ_OP_MAX || m->ndim != m->nfree + 1)
            continue;
        if (try_online(naive, m, "", arena, f))
            return true;
        for (int j = i + 1; j < k->nstmts; j++) {
            const sq_stmt *p = k->stmt[j];
            const char *call = sq_arena_printf(arena, "inline(%s) ", p->name);
            if (!p->updates && sq_stmt_reads_array(p, m->write->array) &&
                try_online(naive, m, call, arena, f))
                return true;
        }
    }
    return false;
}

int sq_forms_find(const sq_schedule *naive, sq_arena *arena, sq_form *form)
{
    int n = 0;
    form[n++] = (sq_form){.script = "", .start = sq_schedule_copy(naive, arena)};
    if (!naive->kernel->deps)
        return n;
    n += inlined(naive, arena, &form[n]);
    n += online(naive, arena, &form[n]);
    return n;
}

int sq_forms_first(const sq_form *form, int n)
{
    int first = 0;
    for (int i = 1; i < n; i++)
        first = form[i].pays ? i : first;
    return first;
}
