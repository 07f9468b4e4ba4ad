/* Assignments: which kind of statement one is, which variables it runs over and how far.
 * Index statement: its free dimensions are the C loops around it and the indices on its left; a
 * reduction's are those it lists, or all that its value has and the left lacks. Each ranges over
 * the array dimensions where it stands alone, which must agree.
 * Written statement: only C loops. A nest that holds nothing but `X op= e` is the same computation
 * as an index statement with a reduction, and becomes one, where the contract lets floating-point
 * sums start from 0 instead of the old value: not under strict. */
#include "frontend/assign.h"
#include <isl/space.h>
#include <string.h>

typedef sq_assignment assignment;

static uint64_t bit(int v)
{
    return UINT64_C(1) << v;
}

/* ---- checks of the left side --------------------------------------------------------------- */

static isl_aff *subscript(const sq_access *a, int d)
{
    return isl_multi_aff_get_aff(a->map, d);
}

/* Indices on the left are bare; loop variables may stand in any affine subscript. */
static int check_left(sq_builder *b, assignment *a)
{
    for (int d = 0; d < a->target->array->ndim; d++) {
        isl_aff *s = subscript(a->write, d);
        uint64_t used = sq_affine_vars(b, s) & a->idx;
        bool bare = sq_affine_bare(b, s) >= 0;
        isl_aff_free(s);
        a->left |= used;
        if (used && !bare) {
            sq_error(b->r.d, SQ_FAULT_INPUT, a->write->loc,
                     "subscript %d on the left side is not "
                     "a bare index; accepted are bare indices, with range(i, lo, hi) for a part of "
                     "the array",
                     d + 1);
            sq_help(
                b->r.d, SQ_NOWHERE,
                "write what the index stands for on the right side, Y[i] = A[N - 1 - i] instead "
                "of Y[N - 1 - i] = A[i], or a C loop, for (int i = …");
            return -1;
        }
    }
    return 0;
}

static const char *first_name(const sq_builder *b, uint64_t set)
{
    for (int v = 0; v < b->nvars; v++)
        if (set >> v & 1)
            return b->var[v].name;
    return "";
}

typedef struct mention {
    const sq_builder *b;
    uint64_t vars;
    sq_loc loc;
} mention;

static void find_mention(sq_expr *e, void *user)
{
    mention *m = user;
    if (!m->loc.line && e->nargs == 0 && (sq_expr_vars(m->b, e) & m->vars))
        m->loc = e->loc;
}

/* Outside of reductions only indices of the left side may stand. */
static int check_value(sq_builder *b, const assignment *a)
{
    uint64_t loose = sq_expr_vars(b, a->in.value) & a->idx & ~a->left;
    if (!loose)
        return 0;
    const char *name = first_name(b, loose);
    mention m = {b, loose, SQ_NOWHERE};
    sq_expr_walk(a->in.value, find_mention, &m);
    sq_error(b->r.d, SQ_FAULT_INPUT, m.loc,
             "index '%s' stands neither on the left side "
             "nor inside a reduction",
             name);
    sq_help(b->r.d, SQ_NOWHERE,
            "write sum(..., %s), prod, rmax or rmin around the part it runs "
            "over",
            name);
    return -1;
}

/* ---- index statements ---------------------------------------------------------------------- */

static void add_dim(sq_draft *s, int v)
{
    for (int d = 0; d < s->ndim; d++)
        if (s->dim[d] == v)
            return;
    if (s->ndim < SQ_MAX_DIM)
        s->dim[s->ndim++] = v;
    else
        s->crowded = true;
}

/* Free dimensions: the loops of `loops` outer to inner, then indices as the left side has them. */
static void add_free(sq_builder *b, const assignment *a, uint64_t loops, sq_draft *s)
{
    for (int i = 0; i < b->nloops; i++)
        if (loops >> b->loop[i] & 1)
            add_dim(s, b->loop[i]);
    for (int d = 0; d < a->target->array->ndim; d++) {
        isl_aff *sub = subscript(a->write, d);
        int v = sq_affine_bare(b, sub);
        isl_aff_free(sub);
        if (v >= 0 && (a->idx >> v & 1))
            add_dim(s, v);
    }
    s->nfree = s->ndim;
}

static int refuse_reduction(sq_builder *b, sq_loc at, const char *format, const char *name)
{
    sq_error(b->r.d, SQ_FAULT_INPUT, at, "%s",
             sq_arena_printf(b->r.arena, "%s '%s' %s", "index", name, format));
    return -1;
}

/* Which indices a reduction runs over. */
static int reduced_vars(sq_builder *b, const assignment *a, const sq_reduction *r, uint64_t *vars)
{
    uint64_t inside = sq_expr_vars(b, r->body) & a->idx & ~a->left;
    if (r->listed & a->left)
        return refuse_reduction(b, r->loc, "is listed in a reduction but stands on the left side",
                                first_name(b, r->listed & a->left));
    if (r->listed && (inside & ~r->listed))
        return refuse_reduction(b, r->loc,
                                "stands in the reduction but is neither listed there "
                                "nor on the left side",
                                first_name(b, inside & ~r->listed));
    *vars = r->listed ? r->listed : inside;
    if (*vars)
        return 0;
    sq_error(b->r.d, SQ_FAULT_INPUT, r->loc,
             "the reduction has nothing to run over: every index "
             "of its value stands on the left side; list the indices it runs over");
    return -1;
}

static int add_reduction(sq_builder *b, const assignment *a, int which, sq_draft *s)
{
    const sq_reduction *r = &a->in.reduction[which];
    uint64_t vars;
    if (reduced_vars(b, a, r, &vars))
        return -1;
    for (int i = 0; i < r->nlisted; i++)
        add_dim(s, r->order[i]);
    for (int v = 0; v < b->nvars; v++)
        if (vars >> v & 1)
            add_dim(s, v);
    s->reduce = r->op;
    s->body = r->body;
    return 0;
}

static int finish_index(sq_builder *b, sq_draft *s)
{
    for (int d = 0; d < s->ndim; d++)
        if (sq_range_infer(b, s, d))
            return -1;
    return sq_stmt_add(b, s);
}

static sq_access *same_place(sq_builder *b, const sq_access *a, const sq_array *array)
{
    sq_access *copy = sq_expr_read(b, a, a->loc)->access;
    copy->array = (sq_array *)array;
    copy->map = isl_multi_aff_set_tuple_name(copy->map, isl_dim_out, array->name);
    return copy;
}

typedef struct replacing {
    sq_builder *b;
    int64_t which;
    sq_access *by;
} replacing;

static void replace_reduced(sq_expr *e, void *user)
{
    const replacing *r = user;
    if (e->op != SQ_OP_REDUCED || e->integer != r->which)
        return;
    e->op = SQ_OP_READ;
    e->access = sq_expr_read(r->b, r->by, e->loc)->access;
}

/* One reduction of several: into a temporary of the target's shape, by a statement before. */
static int split_reduction(sq_builder *b, assignment *a, int which, uint64_t loops, bool written)
{
    const sq_reduction *r = &a->in.reduction[which];
    const char *stem =
        sq_arena_printf(b->r.arena, "%s_%s", a->target->array->name, sq_op_get(r->op)->name);
    sq_symbol *t = sq_symbol_temporary(b, stem, r->type, a->target, r->loc);
    sq_draft s = {
        .written = written, .loc = r->loc, .target = t, .write = same_place(b, a->write, t->array)};
    add_free(b, a, loops, &s);
    if (add_reduction(b, a, which, &s))
        return -1;
    s.value = sq_expr_new(b, SQ_OP_REDUCED, r->type, r->loc);
    replacing by = {b, which, same_place(b, a->write, t->array)};
    sq_expr_walk(a->in.value, replace_reduced, &by);
    int rc = finish_index(b, &s);
    b->counter[b->nloops]++;
    return rc;
}

/* argmax: the greatest value goes into a temporary, and what is left is the least position whose
 * value equals it. */
static int split_position(sq_builder *b, assignment *a, int which, uint64_t loops, bool written)
{
    sq_reduction *r = &a->in.reduction[which];
    const char *stem = sq_arena_printf(b->r.arena, "%s_%s", a->target->array->name,
                                       r->op == SQ_OP_MAX ? "rmax" : "rmin");
    sq_symbol *t = sq_symbol_temporary(b, stem, r->body->type, a->target, r->loc);
    sq_draft s = {
        .written = written, .loc = r->loc, .target = t, .write = same_place(b, a->write, t->array)};
    sq_expr *body = r->body;
    add_free(b, a, loops, &s);
    r->body = sq_expr_copy(b, body);
    if (add_reduction(b, a, which, &s))
        return -1;
    s.value = sq_expr_new(b, SQ_OP_REDUCED, r->body->type, r->loc);
    if (finish_index(b, &s))
        return -1;
    b->counter[b->nloops]++;
    sq_expr *best = sq_expr_read(b, same_place(b, a->write, t->array), r->loc);
    return sq_position_lower(b, &s, r, body, best);
}

/* A position over several indices is a number of 64 bits whose least value so far has to pass
 * through memory between two loops; the array it goes into holds 32. */
static bool is_wide(sq_builder *b, const assignment *a, const sq_reduction *r)
{
    uint64_t vars;
    size_t mark = sq_diags_mark(b->r.d);
    bool several = r->position && reduced_vars(b, a, r, &vars) == 0 && (vars & (vars - 1)) != 0;
    sq_diags_rewind(b->r.d, mark); /* said again where it is read */
    return several;
}

typedef struct overlapping {
    const sq_array *target;
    const sq_expr *read;
} overlapping;

static void find_overlapping(sq_expr *e, void *user)
{
    overlapping *o = user;
    if (e->op == SQ_OP_READ && e->access->array != o->target &&
        sq_arrays_overlap(e->access->array, o->target))
        o->read = e;
}

/* Statements made of one run one after the other, each for all its points: arrays that may overlap
 * would want them point by point. */
static int check_parts(sq_builder *b, const assignment *a, uint64_t loops)
{
    sq_draft points = {0};
    overlapping o = {.target = a->target->array};
    add_free(b, a, loops, &points);
    if (points.ndim == __builtin_popcountll(loops))
        return 0;
    for (int r = 0; r < a->in.nreductions && !o.read; r++)
        sq_expr_walk(a->in.reduction[r].body, find_overlapping, &o);
    if (!o.read)
        return 0;
    sq_error(b->r.d, SQ_FAULT_INPUT, o.read->loc,
             "this may overlap '%s', and two passes over it are needed before '%s' is written",
             a->target->array->name, a->target->array->name);
    sq_help(b->r.d, SQ_NOWHERE, "write C loops, which run point by point");
    return -1;
}

/* A statement whose free dimensions are `loops` and the indices on the left. */
static int add_index(sq_builder *b, assignment *a, uint64_t loops, bool written)
{
    sq_draft s = {.reduce = SQ_OP_CONST,
                  .written = written,
                  .maybe = a->maybe,
                  .loc = a->loc,
                  .target = a->target,
                  .write = a->write};
    int last = a->in.nreductions - 1;
    bool is_separate = last >= 0 && is_wide(b, a, &a->in.reduction[last]), parts = last + is_separate > 0;
    for (int r = 0; r <= last; r++)
        parts |= a->in.reduction[r].position;
    if (parts && check_parts(b, a, loops))
        return -1;
    for (int r = 0; r <= last; r++)
        if (a->in.reduction[r].position && split_position(b, a, r, loops, written))
            return -1;
    for (int r = 0; r < last + is_separate; r++)
        if (split_reduction(b, a, r, loops, written))
            return -1;
    last = is_separate ? -1 : last;
    add_free(b, a, loops, &s);
    s.value = a->in.value;
    if (last >= 0 && add_reduction(b, a, last, &s))
        return -1;
    return finish_index(b, &s);
}

/* ---- written statements -------------------------------------------------------------------- */

typedef struct self_reads {
    const sq_access *write;
    int same, other;
} self_reads;

static void count_self(sq_expr *e, void *user)
{
    self_reads *r = user;
    if (e->op != SQ_OP_READ || e->access->array != r->write->array)
        return;
    bool same = e->access->edge == SQ_EDGE_NONE &&
                isl_multi_aff_plain_is_equal(e->access->map, r->write->map) == isl_bool_true;
    *(same ? &r->same : &r->other) += 1;
}

/* How often an expression reads the element written, and others of its array. */
static self_reads reads_of_target(const assignment *a, sq_expr *e)
{
    self_reads r = {a->write, 0, 0};
    sq_expr_walk(e, count_self, &r);
    return r;
}

/* Loops that stand bare on the left; false if a subscript is anything but a bare variable or free
 * of loops: then different instances may write one element. */
static bool bare_loops(sq_builder *b, const assignment *a, uint64_t *bare)
{
    *bare = 0;
    for (int d = 0; d < a->target->array->ndim; d++) {
        isl_aff *s = subscript(a->write, d);
        int v = sq_affine_bare(b, s);
        uint64_t used = sq_affine_vars(b, s);
        isl_aff_free(s);
        if (used && v < 0)
            return false;
        *bare |= used & a->loops;
    }
    return true;
}

/* `X = X op e` written out: makes it `X op= e`. */
static void recognise_update(assignment *a)
{
    sq_expr *e = a->right;
    if (a->op != SQ_OP_CONST || e->nargs != 2 ||
        (e->op != SQ_OP_ADD && e->op != SQ_OP_SUB && e->op != SQ_OP_MUL && e->op != SQ_OP_MAX &&
         e->op != SQ_OP_MIN))
        return;
    int sides = e->op == SQ_OP_SUB ? 1 : 2;
    for (int i = 0; i < sides; i++)
        if (e->arg[i]->op == SQ_OP_READ && reads_of_target(a, e->arg[i]).same) {
            a->op = e->op;
            a->right = e->arg[1 - i];
            a->keeps_old = i == 1 && (e->op == SQ_OP_MAX || e->op == SQ_OP_MIN);
            return;
        }
}

/* The value of a reduction in place: X_old op reduced. */
static int add_update_nest(sq_builder *b, assignment *a, uint64_t bare)
{
    sq_draft s = {.loc = a->loc,
                  .target = a->target,
                  .write = a->write,
                  .body = a->right,
                  .loops_only = true,
                  .reduce = a->op == SQ_OP_SUB ? SQ_OP_ADD : a->op,
                  .keeps_old = a->keeps_old};
    add_free(b, a, bare, &s);
    for (int i = 0; i < b->nloops; i++)
        add_dim(&s, b->loop[i]);
    sq_expr *old = sq_expr_read(b, a->write, a->write->loc);
    sq_expr *reduced = sq_expr_new(b, SQ_OP_REDUCED, a->right->type, a->right->loc);
    s.value = a->keeps_old ? sq_expr_binary(b, a->op, reduced, old, a->loc)
                           : sq_expr_binary(b, a->op, old, reduced, a->loc);
    return sq_stmt_add(b, &s);
}

/* A nest of C loops around nothing but this assignment, as an index statement. 1: it is not one. */
static int try_nest(sq_builder *b, assignment *a)
{
    uint64_t bare;
    self_reads value = reads_of_target(a, a->in.value);
    int body = 0;
    for (int r = 0; r < a->in.nreductions; r++) {
        self_reads in_body = reads_of_target(a, a->in.reduction[r].body);
        body += in_body.same + in_body.other;
    }
    if (!b->sole || a->maybe || sq_kernel_overlaps(b->k) || !bare_loops(b, a, &bare) || body ||
        value.other)
        return 1;
    if (bare == a->loops)
        return add_index(b, a, bare, false);
    if (a->in.nreductions || a->left)
        return 1;
    recognise_update(a);
    self_reads right = reads_of_target(a, a->right);
    bool exact = b->k->fp == SQ_FP_STRICT && sq_type_real(a->right->type);
    bool fits = !exact && a->op != SQ_OP_CONST && a->op != SQ_OP_DIV &&
                right.same + right.other == 0 && a->right->type == a->target->array->type;
    return fits ? add_update_nest(b, a, bare) : 1;
}

/* ---- from both sides to statements ---- */

/* `left op right`: a shift has the type of what is shifted. */
static sq_expr *applied(sq_builder *b, const assignment *a)
{
    sq_expr *left = sq_expr_read(b, a->write, a->write->loc);
    sq_expr *e = a->keeps_old ? sq_expr_binary(b, a->op, a->right, left, a->loc)
                              : sq_expr_binary(b, a->op, left, a->right, a->loc);
    if (a->op == SQ_OP_SHL || a->op == SQ_OP_SHR) {
        e->type = sq_type_promoted(left->type);
        e->arg[0] = sq_expr_cast(b, e->type, left);
        e->arg[1] = a->right;
    }
    return e;
}

/* All idx variables and the loops around, as bits. */
static void note_vars(const sq_builder *b, assignment *a)
{
    for (int v = 0; v < b->nvars; v++)
        if (!b->var[v].is_loop)
            a->idx |= bit(v);
    for (int i = 0; i < b->nloops; i++)
        a->loops |= bit(b->loop[i]);
}

/* The number that leaves a scalar as it is when it is added, or multiplied, or put together with it in
 * another way; NULL: there is none. */
static sq_expr *neutral(sq_builder *b, const assignment *a)
{
    sq_type type = a->right->type;
    bool adds = a->op == SQ_OP_ADD || a->op == SQ_OP_SUB || a->op == SQ_OP_BIT_OR ||
                a->op == SQ_OP_BIT_XOR,
         exact = b->k->fp == SQ_FP_STRICT && sq_type_real(type); /* -0 + 0 is 0 */
    if (exact || (!adds && a->op != SQ_OP_MUL) || a->target->array->ndim > 0)
        return NULL;
    return sq_expr_constant(b, type, !adds, !adds, a->loc);
}

/* True for the greater or the smaller of the element and another value: what the condition reads it may write back. */
static bool is_extreme(const assignment *a)
{
    const sq_expr *e = a->in.value;
    bool is = false;
    for (int i = 0; i < 2 && (e->op == SQ_OP_MAX || e->op == SQ_OP_MIN); i++)
        is |= e->arg[i]->op == SQ_OP_READ && reads_of_target(a, e->arg[i]).same;
    return is;
}

/* An assignment under conditions: the value becomes a choice. A sum adds nothing where they fail, so that it
 * stays one; what is declared there is read nowhere else. */
static int choose(sq_builder *b, assignment *a)
{
    static const sq_dead initial = {.under = NULL};
    const sq_array *to = a->target->array;
    sq_expr *none, *old;
    a->right = a->in.value;
    if (to->ndim == 0)
        recognise_update(a);
    none = neutral(b, a);
    if (none) {
        a->right = sq_choice_value(b, a->right, none, NULL);
        a->write->where = isl_set_free(a->write->where); /* what it was is read wherever it is written */
        a->in.value = a->right ? sq_expr_cast(b, to->type, applied(b, a)) : NULL;
    } else {
        if (a->op != SQ_OP_CONST)
            a->in.value = applied(b, a);
        const sq_dead *dead = a->is_initial ? &initial : to->ndim == 0 ? sq_flow_dead(b, a->target->decl) : NULL;
        old = sq_expr_read(b, a->write, a->write->loc);
        a->in.value = sq_choice_value(b, sq_expr_cast(b, to->type, a->in.value), old, dead);
        a->op = SQ_OP_CONST;
        a->right = a->in.value;
        a->maybe = to->ndim > 0 && !is_extreme(a);
    }
    sq_choice_assigned(b, to);
    sq_flow_revive(b, a->target->decl);
    return a->in.value ? 0 : -1;
}

static void apply(sq_builder *b, assignment *a)
{
    a->right = a->in.value;
    if (a->op != SQ_OP_CONST)
        a->in.value = applied(b, a);
    a->in.value = sq_expr_cast(b, a->target->array->type, a->in.value);
}

/* From left side and right side to statements. */
int sq_assignment_add(sq_builder *b, assignment *a)
{
    if (!b->choice)
        apply(b, a);
    else if (choose(b, a))
        return -1;
    note_vars(b, a);
    if (check_left(b, a) || check_value(b, a))
        return -1;
    int rc = b->nloops ? try_nest(b, a) : 1;
    return rc == 1 ? add_index(b, a, a->loops, b->nloops > 0) : rc;
}
