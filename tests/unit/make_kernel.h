/* Make kernel: small kernels built by hand from isl's text, for tests of rooms that stand beside
 * the frontend. Freed with sq_kernel_free. */
#ifndef SQ_TESTS_MAKE_KERNEL_H
#define SQ_TESTS_MAKE_KERNEL_H
#include "ir/kernel/kernel.h"
#include <isl/aff.h>
#include <string.h>

static sq_kernel *new_kernel(isl_ctx *ctx, const char *name, const char *context)
{
    sq_arena *arena = sq_arena_new();
    sq_kernel *k = SQ_NEW(arena, sq_kernel);
    k->arena = arena;
    k->ctx = ctx;
    k->name = name;
    k->param = SQ_NEW_ARRAY(arena, sq_param, 16);
    k->size = SQ_NEW_ARRAY(arena, sq_size *, 8);
    k->array = SQ_NEW_ARRAY(arena, sq_array *, 8);
    k->stmt = SQ_NEW_ARRAY(arena, sq_stmt *, 8);
    k->context = isl_set_read_from_str(ctx, context);
    return k;
}

static void add_size(sq_kernel *k, const char *name)
{
    sq_size *s = SQ_NEW(k->arena, sq_size);
    s->name = name;
    s->type = SQ_I32;
    k->size[k->nsizes++] = s;
    k->param[k->nparams++].size = s;
}

static sq_scalar *add_scalar(sq_kernel *k, const char *name, sq_type type)
{
    sq_scalar *s = SQ_NEW(k->arena, sq_scalar);
    s->name = name;
    s->type = type;
    k->param[k->nparams++].scalar = s;
    return s;
}

static sq_array *add_array(sq_kernel *k, const char *name, sq_type type, sq_role role, int ndim,
                           const char *const *extent)
{
    sq_array *a = SQ_NEW(k->arena, sq_array);
    a->name = name;
    a->type = type;
    a->role = role;
    a->ndim = ndim;
    a->extent = SQ_NEW_ARRAY(k->arena, isl_aff *, ndim);
    for (int d = 0; d < ndim; d++)
        a->extent[d] = isl_aff_read_from_str(k->ctx, extent[d]);
    k->array[k->narrays++] = a;
    if (role != SQ_LOCAL)
        k->param[k->nparams++].array = a;
    return a;
}

static sq_access *access_of(sq_kernel *k, sq_array *a, const char *map)
{
    sq_access *x = SQ_NEW(k->arena, sq_access);
    x->array = a;
    x->map = isl_multi_aff_read_from_str(k->ctx, map);
    return x;
}

static sq_expr *node(sq_kernel *k, sq_op op, sq_type type, sq_expr *a, sq_expr *b)
{
    sq_expr *e = SQ_NEW(k->arena, sq_expr);
    e->op = op;
    e->type = type;
    e->nargs = b ? 2 : a ? 1 : 0;
    e->arg[0] = a;
    e->arg[1] = b;
    return e;
}

static sq_expr *read_of(sq_kernel *k, sq_array *a, const char *map)
{
    sq_expr *e = node(k, SQ_OP_READ, a->type, NULL, NULL);
    e->access = access_of(k, a, map);
    return e;
}

static sq_expr *scalar_of(sq_kernel *k, sq_scalar *s)
{
    sq_expr *e = node(k, SQ_OP_SCALAR, s->type, NULL, NULL);
    e->scalar = s;
    return e;
}

static sq_stmt *add_stmt(sq_kernel *k, const char *name, int ndim, int nfree, const char *domain,
                         const char *updates)
{
    static const char *const names[] = {"i", "j", "k", "l"};
    sq_stmt *s = SQ_NEW(k->arena, sq_stmt);
    s->name = name;
    s->position = k->nstmts;
    s->ndim = ndim;
    s->nfree = nfree;
    s->dim = SQ_NEW_ARRAY(k->arena, const char *, ndim);
    memcpy(s->dim, names, (size_t)ndim * sizeof *names);
    s->reduce = SQ_OP_CONST;
    s->domain = isl_set_read_from_str(k->ctx, domain);
    s->updates = updates ? isl_set_read_from_str(k->ctx, updates) : NULL;
    k->stmt[k->nstmts++] = s;
    return s;
}

/* `C[i][j] = beta*C[i][j] + alpha*sum(A[i][k]*B[k][j], k)` in the given type, symbolic M, N, K. */
__attribute__((unused)) static sq_kernel *make_gemm(isl_ctx *ctx, sq_type t)
{
    static const char *const mk[] = {"[M] -> { [(M)] }", "[K] -> { [(K)] }"};
    static const char *const kn[] = {"[K] -> { [(K)] }", "[N] -> { [(N)] }"};
    static const char *const mn[] = {"[M] -> { [(M)] }", "[N] -> { [(N)] }"};
    sq_kernel *k = new_kernel(ctx, "gemm", "[M,N,K] -> { : M >= 0 and N >= 0 and K >= 0 }");
    add_size(k, "M");
    add_size(k, "N");
    add_size(k, "K");
    sq_scalar *alpha = add_scalar(k, "alpha", t), *beta = add_scalar(k, "beta", t);
    sq_array *A = add_array(k, "A", t, SQ_IN, 2, mk), *B = add_array(k, "B", t, SQ_IN, 2, kn);
    sq_array *C = add_array(k, "C", t, SQ_INOUT, 2, mn);
    sq_stmt *s = add_stmt(k, "S0", 3, 2, "[M,N,K] -> { S0[i,j] : 0 <= i < M and 0 <= j < N }",
                          "[M,N,K] -> { S0_u[i,j,k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }");
    s->reduce = SQ_OP_ADD;
    s->body = node(k, SQ_OP_MUL, t, read_of(k, A, "{ S0_u[i,j,k] -> A[(i),(k)] }"),
                   read_of(k, B, "{ S0_u[i,j,k] -> B[(k),(j)] }"));
    s->write = access_of(k, C, "{ S0[i,j] -> C[(i),(j)] }");
    sq_expr *old =
        node(k, SQ_OP_MUL, t, scalar_of(k, beta), read_of(k, C, "{ S0[i,j] -> C[(i),(j)] }"));
    sq_expr *sum =
        node(k, SQ_OP_MUL, t, scalar_of(k, alpha), node(k, SQ_OP_REDUCED, t, NULL, NULL));
    s->value = node(k, SQ_OP_ADD, t, old, sum);
    return k;
}

/* `O[y] = max2(sum(pad(I[y + r - 1], 0) * G[r], r), 0)`: padding and an epilogue. */
__attribute__((unused)) static sq_kernel *make_conv(isl_ctx *ctx)
{
    static const char *const w[] = {"[W] -> { [(W)] }"}, *const three[] = {"{ [(3)] }"};
    sq_kernel *k = new_kernel(ctx, "conv", "[W] -> { : W >= 0 }");
    add_size(k, "W");
    sq_array *I = add_array(k, "I", SQ_F32, SQ_IN, 1, w);
    sq_array *G = add_array(k, "G", SQ_F32, SQ_IN, 1, three);
    sq_array *O = add_array(k, "O", SQ_F32, SQ_OUT, 1, w);
    sq_stmt *s = add_stmt(k, "S0", 2, 1, "[W] -> { S0[i] : 0 <= i < W }",
                          "[W] -> { S0_u[i,j] : 0 <= i < W and 0 <= j < 3 }");
    sq_expr *in = read_of(k, I, "{ S0_u[i,j] -> I[(i + j - 1)] }");
    in->access->edge = SQ_EDGE_PAD;
    s->reduce = SQ_OP_ADD;
    s->body = node(k, SQ_OP_MUL, SQ_F32, in, read_of(k, G, "{ S0_u[i,j] -> G[(j)] }"));
    s->write = access_of(k, O, "{ S0[i] -> O[(i)] }");
    s->value = node(k, SQ_OP_MAX, SQ_F32, node(k, SQ_OP_REDUCED, SQ_F32, NULL, NULL),
                    node(k, SQ_OP_CONST, SQ_F32, NULL, NULL));
    return k;
}

/* `T[i] = rmax(X[i][j], j) over j <= i; Y[i][j] = X[i][j] - T[i] over j <= i`: a local array, a
 * triangle, elements of an output that nobody writes. */
__attribute__((unused)) static sq_kernel *make_triangle(isl_ctx *ctx)
{
    static const char *const nn[] = {"[N] -> { [(N)] }", "[N] -> { [(N)] }"};
    sq_kernel *k = new_kernel(ctx, "triangle", "[N] -> { : N >= 0 }");
    add_size(k, "N");
    sq_array *X = add_array(k, "X", SQ_F64, SQ_IN, 2, nn);
    sq_array *Y = add_array(k, "Y", SQ_F64, SQ_OUT, 2, nn);
    sq_array *T = add_array(k, "T", SQ_F64, SQ_LOCAL, 1, nn);
    sq_stmt *s = add_stmt(k, "S0", 2, 1, "[N] -> { S0[i] : 0 <= i < N }",
                          "[N] -> { S0_u[i,j] : 0 <= i < N and 0 <= j <= i }");
    s->reduce = SQ_OP_MAX;
    s->body = read_of(k, X, "{ S0_u[i,j] -> X[(i),(j)] }");
    s->write = access_of(k, T, "{ S0[i] -> T[(i)] }");
    s->value = node(k, SQ_OP_REDUCED, SQ_F64, NULL, NULL);
    s = add_stmt(k, "S1", 2, 2, "[N] -> { S1[i,j] : 0 <= j <= i < N }", NULL);
    s->write = access_of(k, Y, "{ S1[i,j] -> Y[(i),(j)] }");
    s->value = node(k, SQ_OP_SUB, SQ_F64, read_of(k, X, "{ S1[i,j] -> X[(i),(j)] }"),
                    read_of(k, T, "{ S1[i,j] -> T[(i)] }"));
    return k;
}

/* for (t…) for (i = 1…) A[i] = A[i-1] + A[i]: written loops. */
__attribute__((unused)) static sq_kernel *make_written(isl_ctx *ctx)
{
    static const char *const n[] = {"[N] -> { [(N)] }"};
    sq_kernel *k = new_kernel(ctx, "written", "[N,T] -> { : N >= 0 and T >= 0 }");
    add_size(k, "N");
    add_size(k, "T");
    sq_array *A = add_array(k, "A", SQ_F32, SQ_INOUT, 1, n);
    sq_stmt *s = add_stmt(k, "S0", 2, 2, "[N,T] -> { S0[i,j] : 0 <= i < T and 1 <= j < N }", NULL);
    s->written_loops = true;
    s->textual = isl_map_read_from_str(ctx, "{ S0[i,j] -> [0,i,0,j,0] }");
    k->textual_dims = 5;
    s->write = access_of(k, A, "{ S0[i,j] -> A[(j)] }");
    s->value = node(k, SQ_OP_ADD, SQ_F32, read_of(k, A, "{ S0[i,j] -> A[(j - 1)] }"),
                    read_of(k, A, "{ S0[i,j] -> A[(j)] }"));
    return k;
}
#endif
