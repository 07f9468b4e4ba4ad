/* Instructions: see instructions.h. */
#include "codegen/instructions.h"
#include "codegen/code/keys.h"
#include "codegen/passes/group.h"
#include <string.h>

static const double trips = 100, /* of each loop */
    counting = 2,                /* the instructions that count a loop */
    of_call = 20;                /* those of a function of the math library */

typedef struct walk {
    const sq_target *target;
    sq_code_pool *pool;
    sq_code_keys seen; /* the expressions of the loop so far: compilers compute each once */
    const char *
        counted; /* the variable of vectors whose loop is counted; the iterations that are left are few */
} walk;

/* ---- expressions ---- */

/* Returns the vectors that a value takes. */
static double vectors(const walk *w, sq_type type, int lanes)
{
    int bytes = sq_type_bytes(sq_type_held(type)) * lanes;
    return lanes > 1 && bytes > w->target->vector_bytes ? (double)bytes / w->target->vector_bytes
                                                        : 1;
}

/* Lanes that are not side by side are loaded and stored one by one. */
static double of_lanes(const walk *w, sq_type type, int lanes, const sq_code_expr *step)
{
    return step && !sq_code_is(step, 1) ? lanes : vectors(w, type, lanes);
}

static double of_expr(walk *w, const sq_code_expr *e)
{
    double all = 0;
    if (!e || sq_code_is_index(e) || sq_code_keys_has(&w->seen, e))
        return 0;
    sq_code_keys_add(&w->seen, e);
    for (int i = 0; i < e->nargs; i++)
        all += of_expr(w, e->arg[i]);
    if (e->op == SQ_CODE_CONSTANT || e->op == SQ_CODE_SCALAR ||
        (e->buffer && e->buffer->storage == SQ_CODE_REGISTER))
        return all;
    if (e->op == SQ_CODE_LOAD_LANES)
        return all + of_lanes(w, e->type, e->lanes, sq_code_lane_step(e));
    if (e->op == SQ_CODE_OPERATION && *sq_op_get(e->operation)->function[1])
        all += of_call;
    return all + vectors(w, e->type, e->lanes);
}

static double of_store(walk *w, const sq_code *x)
{
    double all = of_expr(w, x->cond) + of_expr(w, x->value);
    return all + (x->buffer->storage == SQ_CODE_REGISTER
                      ? 0
                      : of_lanes(w, x->buffer->type, x->value->lanes, x->lane_step));
}

static double of_body(walk *w, const sq_code *x)
{
    double all = 0;
    for (; x; x = x->next)
        all +=
            x->kind == SQ_CODE_STORE ? of_store(w, x) : of_body(w, x->body) + of_body(w, x->other);
    return all;
}

/* ---- loops ---- */

static bool is_loop(const sq_code *x)
{
    return x->kind == SQ_CODE_LOOP && x->runs != SQ_CODE_UNROLLED;
}

static bool has_loop(const sq_code *x)
{
    for (; x; x = x->next)
        if (is_loop(x) || has_loop(x->body) || has_loop(x->other))
            return true;
    return false;
}

/* times: how often the list runs. */
static double of_list(walk *w, const sq_code *x, double times)
{
    double all = 0;
    for (; x; x = x->next) {
        bool rest =
            is_loop(x) && !x->lo && x->name && w->counted && strcmp(w->counted, x->name) == 0;
        if (x->kind == SQ_CODE_VARIABLE)
            w->counted = NULL;
        if (rest)
            continue;
        double inside = is_loop(x) ? times * trips / (double)x->step : times;
        if (is_loop(x) && !has_loop(x->body)) {
            w->seen = (sq_code_keys){.arena = w->pool->arena};
            all += inside * (counting + of_body(w, x->body));
        }
        all += of_list(w, x->body, inside) + of_list(w, x->other, inside);
        if (is_loop(x) && !x->lo)
            w->counted = x->name;
    }
    return all;
}

/* Returns the code of a group up to the pass widen; NULL: of a grid, or where it cannot be lowered. */
static sq_code *code_of(const sq_schedule *s, int group, const sq_target *t, sq_code_pool *pool)
{
    const sq_group_options o = {.nest = {.target = t}, .npasses = sq_pass_find("branch")};
    sq_code *x = NULL;
    sq_diags *d = sq_diags_new();
    bool fails = t->grid || sq_group_code(s, group, &o, pool, &x, d) != 0;
    sq_diags_free(d);
    return fails ? NULL : x;
}

double sq_instructions_of(const sq_schedule *s, int group, const sq_target *t, sq_arena *arena)
{
    walk w = {.target = t, .pool = sq_code_pool_new(arena)};
    const sq_code *x = code_of(s, group, t, w.pool);
    return x ? of_list(&w, x, 1) : -1;
}

/* Counts stores of vectors, and loops of the description that have none. */
static void find_vectors(const sq_code *x, int *vectors, int *plain)
{
    for (; x; x = x->next) {
        *vectors += x->kind == SQ_CODE_STORE && x->value->lanes > 1;
        *plain += is_loop(x) && x->is_scalar;
        find_vectors(x->body, vectors, plain);
        find_vectors(x->other, vectors, plain);
    }
}

bool sq_is_in_vectors(const sq_schedule *s, int group, const sq_target *t, sq_arena *arena)
{
    int vectors = 0, plain = 0;
    find_vectors(code_of(s, group, t, sq_code_pool_new(arena)), &vectors, &plain);
    return vectors > 0 && plain == 0;
}
