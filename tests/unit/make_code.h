/* Make code: statements built by hand, for tests of what runs or rewrites them. */
#ifndef SQ_TESTS_MAKE_CODE_H
#define SQ_TESTS_MAKE_CODE_H
#include "codegen/code/code.h"

typedef struct made {
    sq_arena *arena;
    sq_code_pool *pool;
    const sq_code_expr *i, *j, *n;
} made;

static inline made made_begin(void)
{
    made m = {.arena = sq_arena_new()};
    m.pool = sq_code_pool_new(m.arena);
    m.i = sq_code_name(m.pool, "i");
    m.j = sq_code_name(m.pool, "j");
    m.n = sq_code_name(m.pool, "n");
    return m;
}

/* name[n][8] */
static inline sq_code_buffer *made_matrix(const made *m, const char *name, sq_type type)
{
    sq_code_buffer *b = SQ_NEW(m->arena, sq_code_buffer);
    *b = (sq_code_buffer){.name = name, .type = type, .ndim = 2};
    b->extent = SQ_NEW_ARRAY(m->arena, const sq_code_expr *, 2);
    b->stride = SQ_NEW_ARRAY(m->arena, const sq_code_expr *, 2);
    b->extent[0] = m->n;
    b->extent[1] = b->stride[0] = sq_code_number(m->pool, 8);
    b->stride[1] = sq_code_number(m->pool, 1);
    return b;
}

static inline const sq_code_expr *made_at(const made *m, const sq_code_buffer *b,
                                          const sq_code_expr *i, const sq_code_expr *j)
{
    return sq_code_load(m->pool, b, (const sq_code_expr *[]){i, j});
}

static inline const sq_code_expr *made_both(const made *m, sq_op op, const sq_code_expr *a,
                                            const sq_code_expr *b)
{
    return sq_code_operation(m->pool, op, a->type, (const sq_code_expr *[]){a, b});
}

static inline sq_code *made_store(const made *m, const sq_code_expr *place,
                                  const sq_code_expr *value)
{
    return sq_code_store(m->pool, place->buffer, place->arg, value);
}

/* for (name = 0; name < hi; name++) body */
static inline sq_code *made_loop(const made *m, const char *name, const sq_code_expr *hi,
                                 sq_code *body)
{
    sq_code *x = sq_code_new(m->pool, SQ_CODE_LOOP);
    x->name = name;
    x->lo = sq_code_number(m->pool, 0);
    x->hi = hi;
    x->step = 1;
    x->body = body;
    return x;
}

/* ---- vectors ---- */

/* Code of vectors of four f32, of a pointer P. */
typedef struct vectors {
    made m;
    const sq_code_buffer *p;
    const sq_code_expr *zero, *one;
} vectors;

static inline vectors vectors_begin(void)
{
    vectors v = {.m = made_begin()};
    v.p = sq_code_pointer(v.m.pool, "P", SQ_F32, false, false);
    v.zero = sq_code_number(v.m.pool, 0);
    v.one = sq_code_number(v.m.pool, 1);
    return v;
}

static inline const sq_code_expr *loaded(const vectors *v, int64_t at, int64_t step,
                                         const sq_code_expr *left)
{
    const sq_code_lanes lanes = {.first = sq_code_number(v->m.pool, at),
                                 .step = sq_code_number(v->m.pool, step),
                                 .left = left};
    return sq_code_load_lanes(v->m.pool, v->p, 4, &lanes);
}

static inline sq_code *stored(const vectors *v, const sq_code_expr *value)
{
    sq_code *x = sq_code_store(v->m.pool, v->p, &v->zero, value);
    x->lane_step = v->one;
    return x;
}

static inline const sq_code_expr *binary(const vectors *v, sq_op op, sq_type type,
                                         const sq_code_expr *a, const sq_code_expr *b)
{
    const sq_code_expr *arg[] = {a, b};
    return sq_code_operation(v->m.pool, op, type, arg);
}
#endif
