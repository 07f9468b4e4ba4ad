/* CUDA vectors: how many values those of a group have, and the definitions of all in use. */
#include "codegen/grid/cuda.h"
#include "codegen/isa/cuda_vector.h"
#include "codegen/isa/math.h"
#include "codegen/print/names.h"
#include "codegen/tile/tile_inside.h"
#include "ir/dependence/tensor.h"

/* True if all values have one floating-point type, without conversions and conditionals. Elements
 * of f16 and bf16 become f32 when they are read. */
static bool is_uniform(const sq_expr *e)
{
    bool real = e->type == SQ_F32 || e->type == SQ_F64;
    if (e->op == SQ_OP_CAST && e->type == SQ_F32 && sq_type_stored(e->arg[0]->type))
        return e->arg[0]->op == SQ_OP_READ;
    bool fine = real &&
                (e->op <= SQ_OP_DIV || e->op == SQ_OP_MIN || e->op == SQ_OP_MAX ||
                 sq_math_is_function(e->op)) &&
                e->op != SQ_OP_CAST && e->op != SQ_OP_INDEX;
    for (int i = 0; i < e->nargs; i++)
        fine = fine && is_uniform(e->arg[i]) && e->arg[i]->type == e->type;
    return fine || (real && sq_expr_of_sizes(e));
}

/* True if a statement stores such values, or f32 as f16 or bf16. */
static bool is_uniform_value(const sq_expr *e)
{
    if (sq_type_stored(e->type))
        return e->op == SQ_OP_CAST && e->arg[0]->type == SQ_F32 && is_uniform(e->arg[0]);
    return is_uniform(e);
}

/* True for a statement with 16-bit floats, which are f32 in registers, two vectors of the target's
 * width; 16 bytes of them are loaded at once if the statement has no wider elements in memory. */
static bool is_narrow(const sq_stmt *s)
{
    sq_access *read[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, NULL);
    bool narrow = !s->updates && sq_type_stored(s->write->array->type);
    for (int i = 0; i < n; i++)
        narrow &= sq_type_stored(read[i]->array->type);
    return narrow;
}

int sq_emit_grid_lanes(const sq_group *g, const sq_target *t)
{
    sq_type type = sq_type_held(g->stmt[0]->write->array->type);
    bool narrow = true;
    for (int i = 0; i < g->nstmts; i++) {
        const sq_stmt *s = g->stmt[i];
        if (sq_type_held(s->write->array->type) != type ||
            s->value->type != s->write->array->type || !is_uniform_value(s->value) ||
            (s->body && (s->body->type != type || !(sq_group_is_tensor(g) || is_uniform(s->body)))))
            return 1;
        narrow &= is_narrow(s);
    }
    return t->vector_bytes / (narrow ? 2 : sq_group_bytes(g));
}

sq_schedule *sq_cuda_schedule(const sq_schedule *given, const sq_target *t, sq_arena *arena)
{
    sq_schedule *s = sq_names_of_loops(given, arena);
    for (int i = 0; i < s->ngroups && t->grid; i++) {
        sq_micro *m = &s->group[i]->micro;
        int most = m->vector < 0 ? m->lanes : sq_emit_grid_lanes(s->group[i], t);
        m->lanes = m->lanes < most ? m->lanes : most;
        if (m->lanes == 1)
            m->vector = -1;
    }
    return s;
}

/* Returns the scalar shape, from whose functions those of vectors are made. */
static sq_vector single(const sq_printer *p, sq_type type)
{
    sq_vector one = {.type = type, .lanes = 1, .strict = p->kernel->fp == SQ_FP_STRICT};
    for (int i = 0; i < p->nshapes; i++)
        if (p->shape[i].type == type) {
            one.functions |= p->shape[i].functions;
            one.used |= p->shape[i].lanes == 1 ? p->shape[i].used : 0;
        }
    return one;
}

void sq_cuda_vectors(const sq_printer *p, sq_text *to)
{
    if (p->kernel->fp == SQ_FP_STRICT)
        sq_cuda_strict_begin(to);
    for (int t = 0; t < SQ_NTYPES; t++) {
        sq_vector one = single(p, (sq_type)t);
        if (!one.used && !one.functions)
            continue;
        sq_cuda_single_define(&one, to);
        if (one.strict)
            sq_cuda_strict_functions(&one, sq_arena_printf(p->arena, "sq_%sx1", sq_type_suffix(one.type)), to);
    }
    for (int narrow = 0; narrow < 2; narrow++) /* after f32, which they need */
        for (int i = 0; i < p->nshapes; i++)
            if (p->shape[i].lanes > 1 && sq_type_stored(p->shape[i].type) == narrow) {
                sq_vector v = p->shape[i];
                v.strict = p->kernel->fp == SQ_FP_STRICT;
                sq_cuda_vector_define(&v, to);
            }
}
