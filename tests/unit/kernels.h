/* Kernels of the unit tests of ir/ and transforms/, built by hand from isl's text: gemm, gemm
 * followed by an element-wise statement, convolution, written loops with and without a carried
 * dependence, C loops that are no perfect nest, and descriptions with one mistake each. Included by
 * one test program each, hence all static. */
#ifndef SQ_TESTS_KERNELS_H
#define SQ_TESTS_KERNELS_H
#include "ir/kernel/kernel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline sq_kernel *kernel_new(isl_ctx *isl, const char *name, const char *context)
{
    sq_arena *arena = sq_arena_new();
    sq_kernel *k = SQ_NEW(arena, sq_kernel);
    k->arena = arena;
    k->ctx = isl;
    k->name = name;
    k->param = SQ_NEW_ARRAY(arena, sq_param, 32);
    k->size = SQ_NEW_ARRAY(arena, sq_size *, 8);
    k->array = SQ_NEW_ARRAY(arena, sq_array *, 8);
    k->stmt = SQ_NEW_ARRAY(arena, sq_stmt *, 8);
    k->context = isl_set_read_from_str(isl, context);
    return k;
}

static inline void kernel_size(sq_kernel *k, const char *name)
{
    sq_size *s = SQ_NEW(k->arena, sq_size);
    s->name = name;
    s->type = SQ_I32;
    k->size[k->nsizes++] = s;
    k->param[k->nparams++].size = s;
}

/* extents: "M N 3", each a size's name or a number. */
static inline sq_array *kernel_array(sq_kernel *k, const char *name, sq_type type, sq_role role,
                                     const char *extents)
{
    sq_array *a = SQ_NEW(k->arena, sq_array);
    char copy[64], text[160];
    a->name = name;
    a->type = type;
    a->role = role;
    a->extent = SQ_NEW_ARRAY(k->arena, isl_aff *, 8);
    snprintf(copy, sizeof copy, "%s", extents);
    for (char *save = NULL, *e = strtok_r(copy, " ", &save); e; e = strtok_r(NULL, " ", &save)) {
        if (e[0] >= '0' && e[0] <= '9')
            snprintf(text, sizeof text, "{ [(%s)] }", e);
        else
            snprintf(text, sizeof text, "[%s] -> { [(%s)] }", e, e);
        a->extent[a->ndim++] = isl_aff_read_from_str(k->ctx, text);
    }
    k->array[k->narrays++] = a;
    if (role != SQ_LOCAL)
        k->param[k->nparams++].array = a;
    return a;
}

static inline sq_access *kernel_access(sq_kernel *k, sq_array *a, const char *map, int line)
{
    sq_access *x = SQ_NEW(k->arena, sq_access);
    x->array = a;
    x->map = isl_multi_aff_read_from_str(k->ctx, map);
    x->loc = (sq_loc){.file = "test.sq", .line = line, .col = 1, .len = 1};
    return x;
}

static inline sq_expr *node(sq_kernel *k, sq_op op, sq_type type, sq_expr *a, sq_expr *b)
{
    sq_expr *e = SQ_NEW(k->arena, sq_expr);
    e->op = op;
    e->type = type;
    e->nargs = b ? 2 : a ? 1 : 0;
    e->arg[0] = a;
    e->arg[1] = b;
    return e;
}

static inline sq_expr *number(sq_kernel *k, sq_type type, double x)
{
    sq_expr *e = node(k, SQ_OP_CONST, type, NULL, NULL);
    e->real = x;
    return e;
}

static inline sq_expr *reduced(sq_kernel *k, sq_type type)
{
    return node(k, SQ_OP_REDUCED, type, NULL, NULL);
}

static inline sq_expr *read_of(sq_kernel *k, const char *array, const char *map, int line)
{
    sq_array *a = sq_kernel_array(k, array);
    sq_expr *e = node(k, SQ_OP_READ, a->type, NULL, NULL);
    e->access = kernel_access(k, a, map, line);
    return e;
}

/* dims: "i j k". */
static inline sq_stmt *kernel_stmt(sq_kernel *k, const char *name, const char *dims, int nfree,
                                   const char *domain, const char *updates)
{
    sq_stmt *s = SQ_NEW(k->arena, sq_stmt);
    char *copy = sq_arena_strdup(k->arena, dims), *save = NULL;
    s->name = name;
    s->position = k->nstmts;
    s->nfree = nfree;
    s->dim = SQ_NEW_ARRAY(k->arena, const char *, 16);
    for (char *d = strtok_r(copy, " ", &save); d; d = strtok_r(NULL, " ", &save))
        s->dim[s->ndim++] = d;
    s->reduce = updates ? SQ_OP_ADD : SQ_OP_CONST;
    s->domain = isl_set_read_from_str(k->ctx, domain);
    s->updates = updates ? isl_set_read_from_str(k->ctx, updates) : NULL;
    k->stmt[k->nstmts++] = s;
    return s;
}

static inline void stmt_write(sq_kernel *k, sq_stmt *s, const char *array, const char *map,
                              int line)
{
    s->write = kernel_access(k, sq_kernel_array(k, array), map, line);
}

static inline void stmt_textual(sq_kernel *k, sq_stmt *s, const char *map)
{
    s->written_loops = true;
    s->textual = isl_map_read_from_str(k->ctx, map);
    k->textual_dims = (int)isl_map_dim(s->textual, isl_dim_out);
}

/* C[i][j] = 2*C[i][j] + 3*sum(A[i][k]*B[k][j], k); acc: the type of what is summed. */
static inline sq_kernel *kernel_gemm(isl_ctx *isl, sq_type t, sq_type acc)
{
    sq_kernel *k = kernel_new(isl, "gemm", "[M,N,K] -> { : M >= 0 and N >= 0 and K >= 0 }");
    kernel_size(k, "M");
    kernel_size(k, "N");
    kernel_size(k, "K");
    kernel_array(k, "A", t, SQ_IN, "M K");
    kernel_array(k, "B", t, SQ_IN, "K N");
    kernel_array(k, "C", t, SQ_INOUT, "M N");
    sq_stmt *s =
        kernel_stmt(k, "S0", "i j k", 2, "[M,N] -> { S0[i,j] : 0 <= i < M and 0 <= j < N }",
                    "[M,N,K] -> { S0_u[i,j,k] : 0 <= i < M and 0 <= j < N and "
                    "0 <= k < K }");
    sq_expr *a = read_of(k, "A", "{ S0_u[i,j,k] -> A[(i),(k)] }", 1),
            *b = read_of(k, "B", "{ S0_u[i,j,k] -> B[(k),(j)] }", 1);
    bool made = acc == SQ_I32 && t != acc;
    s->body = node(k, SQ_OP_MUL, acc, made ? node(k, SQ_OP_CAST, acc, a, NULL) : a,
                   made ? node(k, SQ_OP_CAST, acc, b, NULL) : b);
    stmt_write(k, s, "C", "{ S0[i,j] -> C[(i),(j)] }", 1);
    s->value = node(
        k, SQ_OP_ADD, t,
        node(k, SQ_OP_MUL, t, number(k, t, 2), read_of(k, "C", "{ S0[i,j] -> C[(i),(j)] }", 1)),
        node(k, SQ_OP_MUL, t, number(k, t, 3), reduced(k, acc)));
    return k;
}

/* gemm with 3 * A[i][k] in the place of A[i][k]. */
static inline sq_kernel *kernel_scaled(isl_ctx *isl)
{
    sq_kernel *k = kernel_gemm(isl, SQ_F32, SQ_F32);
    sq_expr *body = k->stmt[0]->body;
    body->arg[0] = node(k, SQ_OP_MUL, SQ_F32, number(k, SQ_F32, 3), body->arg[0]);
    return k;
}

/* Y[i] = (uint8_t)(sum((int32_t)X[i+k], k) / 3), k from 0 to 2. */
static inline sq_kernel *kernel_window(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "window", "[N] -> { : N >= 0 }");
    kernel_size(k, "N");
    kernel_array(k, "X", SQ_U8, SQ_IN, "N+2");
    kernel_array(k, "Y", SQ_U8, SQ_OUT, "N");
    sq_stmt *s = kernel_stmt(k, "S0", "i k", 1, "[N] -> { S0[i] : 0 <= i < N }",
                             "[N] -> { S0_u[i,k] : 0 <= i < N and 0 <= k < 3 }");
    s->body = node(k, SQ_OP_CAST, SQ_I32, read_of(k, "X", "{ S0_u[i,k] -> X[(i+k)] }", 1), NULL);
    stmt_write(k, s, "Y", "{ S0[i] -> Y[(i)] }", 1);
    s->value = node(k, SQ_OP_CAST, SQ_U8, node(k, SQ_OP_DIV, SQ_I32, reduced(k, SQ_I32), number(k, SQ_I32, 3)), NULL);
    return k;
}

/* gemm, then D[i][j] = max2(C[i][j], 0). */
static inline sq_kernel *kernel_gemm_relu(isl_ctx *isl)
{
    sq_kernel *k = kernel_gemm(isl, SQ_F32, SQ_F32);
    kernel_array(k, "D", SQ_F32, SQ_OUT, "M N");
    sq_stmt *s =
        kernel_stmt(k, "S1", "i j", 2, "[M,N] -> { S1[i,j] : 0 <= i < M and 0 <= j < N }", NULL);
    stmt_write(k, s, "D", "{ S1[i,j] -> D[(i),(j)] }", 2);
    s->value = node(k, SQ_OP_MAX, SQ_F32, read_of(k, "C", "{ S1[i,j] -> C[(i),(j)] }", 2),
                    number(k, SQ_F32, 0));
    return k;
}

/* O[f][y][x] = max2(O[f][y][x] + sum(pad(I[c][y+r-1][x+s-1], 0)*G[f][c][r][s], c, r, s), 0): the
 * value is not linear and reads the old output, so partial sums have nowhere to live. */
static inline sq_kernel *kernel_conv(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "conv",
                              "[F,C,H,W] -> { : F >= 0 and C >= 0 and H >= 0 and "
                              "W >= 0 }");
    static const char *const sizes[] = {"F", "C", "H", "W"};
    for (int i = 0; i < 4; i++)
        kernel_size(k, sizes[i]);
    kernel_array(k, "I", SQ_F32, SQ_IN, "C H W");
    kernel_array(k, "G", SQ_F32, SQ_IN, "F C 3 3");
    kernel_array(k, "O", SQ_F32, SQ_INOUT, "F H W");
    sq_stmt *s = kernel_stmt(
        k, "S0", "f y x c r s", 3,
        "[F,H,W] -> { S0[f,y,x] : 0 <= f < F and 0 <= y < H and 0 <= x < W }",
        "[F,C,H,W] -> { S0_u[f,y,x,c,r,s] : 0 <= f < F and 0 <= y < H and 0 <= x < W and "
        "0 <= c < C and 0 <= r < 3 and 0 <= s < 3 }");
    sq_expr *in = read_of(k, "I", "{ S0_u[f,y,x,c,r,s] -> I[(c),(y+r-1),(x+s-1)] }", 1);
    in->access->edge = SQ_EDGE_PAD;
    s->body = node(k, SQ_OP_MUL, SQ_F32, in,
                   read_of(k, "G", "{ S0_u[f,y,x,c,r,s] -> G[(f),(c),(r),(s)] }", 1));
    stmt_write(k, s, "O", "{ S0[f,y,x] -> O[(f),(y),(x)] }", 1);
    s->value = node(k, SQ_OP_MAX, SQ_F32,
                    node(k, SQ_OP_ADD, SQ_F32,
                         read_of(k, "O", "{ S0[f,y,x] -> O[(f),(y),(x)] }", 1), reduced(k, SQ_F32)),
                    number(k, SQ_F32, 0));
    return k;
}

/* for (i = 1…) for (j = 0; j < N-1…) A[i][j] = f(A[i-1][j + shift]): rows after rows. */
static inline sq_kernel *kernel_rows(isl_ctx *isl, int shift)
{
    char map[80];
    sq_kernel *k = kernel_new(isl, "rows", "[N] -> { : N >= 0 }");
    kernel_size(k, "N");
    kernel_array(k, "A", SQ_F32, SQ_INOUT, "N N");
    sq_stmt *s =
        kernel_stmt(k, "S0", "i j", 2, "[N] -> { S0[i,j] : 1 <= i < N and 1 <= j < N - 1 }", NULL);
    stmt_textual(k, s, "{ S0[i,j] -> [0,i,0,j,0] }");
    stmt_write(k, s, "A", "{ S0[i,j] -> A[(i),(j)] }", 1);
    snprintf(map, sizeof map, "{ S0[i,j] -> A[(i - 1),(j + %d)] }", shift);
    s->value = node(k, SQ_OP_ADD, SQ_F32, read_of(k, "A", map, 1), number(k, SQ_F32, 1));
    return k;
}

/* for (i…) for (j…) { C[i][j] = 0; for (k…) C[i][j] = C[i][j] + A[i][k]*B[k][j]; } */
static inline sq_kernel *kernel_written(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "written", "[M,N,K] -> { : M >= 0 and N >= 0 and K >= 0 }");
    kernel_size(k, "M");
    kernel_size(k, "N");
    kernel_size(k, "K");
    kernel_array(k, "A", SQ_F32, SQ_IN, "M K");
    kernel_array(k, "B", SQ_F32, SQ_IN, "K N");
    kernel_array(k, "C", SQ_F32, SQ_OUT, "M N");
    sq_stmt *s =
        kernel_stmt(k, "S0", "i j", 2, "[M,N] -> { S0[i,j] : 0 <= i < M and 0 <= j < N }", NULL);
    stmt_textual(k, s, "{ S0[i,j] -> [0,i,0,j,0,0,0] }");
    stmt_write(k, s, "C", "{ S0[i,j] -> C[(i),(j)] }", 1);
    s->value = number(k, SQ_F32, 0);
    s = kernel_stmt(k, "S1", "i j k", 3,
                    "[M,N,K] -> { S1[i,j,k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }", NULL);
    stmt_textual(k, s, "{ S1[i,j,k] -> [0,i,0,j,1,k,0] }");
    stmt_write(k, s, "C", "{ S1[i,j,k] -> C[(i),(j)] }", 2);
    s->value = node(k, SQ_OP_ADD, SQ_F32, read_of(k, "C", "{ S1[i,j,k] -> C[(i),(j)] }", 2),
                    node(k, SQ_OP_MUL, SQ_F32, read_of(k, "A", "{ S1[i,j,k] -> A[(i),(k)] }", 2),
                         read_of(k, "B", "{ S1[i,j,k] -> B[(k),(j)] }", 2)));
    return k;
}

/* for (t…) { for (i…) B[i] = A[i-1] + A[i+1]; for (i…) A[i] = B[i]; } */
static inline sq_kernel *kernel_jacobi(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "jacobi", "[T,N] -> { : T >= 0 and N >= 0 }");
    kernel_size(k, "T");
    kernel_size(k, "N");
    kernel_array(k, "A", SQ_F32, SQ_INOUT, "N");
    kernel_array(k, "B", SQ_F32, SQ_INOUT, "N");
    sq_stmt *s = kernel_stmt(k, "S0", "t i", 2,
                             "[T,N] -> { S0[t,i] : 0 <= t < T and 1 <= i < N - 1 }", NULL);
    stmt_textual(k, s, "{ S0[t,i] -> [0,t,0,i,0] }");
    stmt_write(k, s, "B", "{ S0[t,i] -> B[(i)] }", 1);
    s->value = node(k, SQ_OP_ADD, SQ_F32, read_of(k, "A", "{ S0[t,i] -> A[(i - 1)] }", 1),
                    read_of(k, "A", "{ S0[t,i] -> A[(i + 1)] }", 1));
    s = kernel_stmt(k, "S1", "t i", 2, "[T,N] -> { S1[t,i] : 0 <= t < T and 1 <= i < N - 1 }",
                    NULL);
    stmt_textual(k, s, "{ S1[t,i] -> [0,t,1,i,0] }");
    stmt_write(k, s, "A", "{ S1[t,i] -> A[(i)] }", 2);
    s->value = read_of(k, "B", "{ S1[t,i] -> B[(i)] }", 2);
    return k;
}

/* for i { s = X[i]; X[i] = Y[i]; Y[i] = s; } */
static inline sq_kernel *kernel_swap(isl_ctx *isl)
{
    static const char *const from[] = {"X", "Y", "s"}, *const to[] = {"s", "X", "Y"};
    sq_kernel *k = kernel_new(isl, "swap", "[N] -> { : N >= 0 }");
    kernel_size(k, "N");
    kernel_array(k, "X", SQ_F32, SQ_INOUT, "N");
    kernel_array(k, "Y", SQ_F32, SQ_INOUT, "N");
    kernel_array(k, "s", SQ_F32, SQ_LOCAL, "");
    for (int i = 0; i < 3; i++) {
        const char *name = sq_arena_printf(k->arena, "S%d", i);
        const char *in = sq_arena_printf(k->arena, "[N] -> { %s[i] -> ", name);
        sq_stmt *s =
            kernel_stmt(k, name, "i", 1,
                        sq_arena_printf(k->arena, "[N] -> { %s[i] : 0 <= i < N }", name), NULL);
        stmt_textual(k, s, sq_arena_printf(k->arena, "{ %s[i] -> [0,i,%d] }", name, i));
        stmt_write(k, s, to[i], sq_arena_printf(k->arena, "%s%s[%s] }", in, to[i], i ? "(i)" : ""),
                   i + 1);
        s->value = read_of(k, from[i],
                           sq_arena_printf(k->arena, "%s%s[%s] }", in, from[i], i < 2 ? "(i)" : ""),
                           i + 1);
    }
    return k;
}

/* C[i][j] = sum(A[i][k]*B[k][j], k) over k <= i: the reduction's range differs by row. */
static inline sq_kernel *kernel_trmm(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "trmm", "[N] -> { : N >= 0 }");
    kernel_size(k, "N");
    kernel_array(k, "A", SQ_F64, SQ_IN, "N N");
    kernel_array(k, "B", SQ_F64, SQ_IN, "N N");
    kernel_array(k, "C", SQ_F64, SQ_OUT, "N N");
    sq_stmt *s = kernel_stmt(k, "S0", "i j k", 2, "[N] -> { S0[i,j] : 0 <= i < N and 0 <= j < N }",
                             "[N] -> { S0_u[i,j,k] : 0 <= i < N and 0 <= j < N and 0 <= k <= i }");
    s->body = node(k, SQ_OP_MUL, SQ_F64, read_of(k, "A", "{ S0_u[i,j,k] -> A[(i),(k)] }", 1),
                   read_of(k, "B", "{ S0_u[i,j,k] -> B[(k),(j)] }", 1));
    stmt_write(k, s, "C", "{ S0[i,j] -> C[(i),(j)] }", 1);
    s->value = reduced(k, SQ_F64);
    return k;
}

/* T[i] = X[i] …; Y[i] = T[i + shift]: shift 0 may be fused, others need whole rows first. `first`
 * is the first element that T gets. */
static inline sq_kernel *kernel_chain(isl_ctx *isl, int shift, int first)
{
    char text[120];
    sq_kernel *k = kernel_new(isl, "chain", "[N] -> { : N >= 0 }");
    kernel_size(k, "N");
    kernel_array(k, "X", SQ_F32, SQ_IN, "N");
    kernel_array(k, "Y", SQ_F32, SQ_OUT, "N");
    kernel_array(k, "T", SQ_F32, SQ_LOCAL, "N");
    snprintf(text, sizeof text, "[N] -> { S0[i] : %d <= i < N - 1 }", first);
    sq_stmt *s = kernel_stmt(k, "S0", "i", 1, text, NULL);
    stmt_write(k, s, "T", "{ S0[i] -> T[(i)] }", 1);
    s->value = read_of(k, "X", "{ S0[i] -> X[(i)] }", 1);
    s = kernel_stmt(k, "S1", "i", 1, "[N] -> { S1[i] : 1 <= i < N - 1 }", NULL);
    stmt_write(k, s, "Y", "{ S1[i] -> Y[(i)] }", 2);
    snprintf(text, sizeof text, "{ S1[i] -> T[(i + %d)] }", shift);
    s->value = read_of(k, "T", text, 2);
    return k;
}

/* Y[i][j] = X[i][j], over all of both. */
static inline sq_kernel *kernel_copy(isl_ctx *isl)
{
    sq_kernel *k = kernel_new(isl, "copy", "[M,N] -> { : M >= 0 and N >= 0 }");
    kernel_size(k, "M");
    kernel_size(k, "N");
    kernel_array(k, "X", SQ_F32, SQ_IN, "M N");
    kernel_array(k, "Y", SQ_F32, SQ_OUT, "M N");
    sq_stmt *s =
        kernel_stmt(k, "S0", "i j", 2, "[M,N] -> { S0[i,j] : 0 <= i < M and 0 <= j < N }", NULL);
    stmt_write(k, s, "Y", "{ S0[i,j] -> Y[(i),(j)] }", 1);
    s->value = read_of(k, "X", "{ S0[i,j] -> X[(i),(j)] }", 1);
    return k;
}

/* m[i] = rmax(X[i][j], j); l[i] = sum(exp(X… - m[i]), j), under fast. sum_of: the map of the second
 * read of X; updates: the set that is summed over. */
static inline sq_kernel *kernel_softmax(isl_ctx *isl, const char *sum_of, const char *updates)
{
    sq_kernel *k = kernel_new(isl, "soft", "[M,N] -> { : M >= 0 and N >= 0 }");
    kernel_size(k, "M");
    kernel_size(k, "N");
    kernel_array(k, "X", SQ_F32, SQ_IN, "M N");
    kernel_array(k, "l", SQ_F32, SQ_OUT, "M");
    kernel_array(k, "m", SQ_F32, SQ_LOCAL, "M");
    k->fp = SQ_FP_FAST;
    sq_stmt *s = kernel_stmt(k, "S0", "i j", 1, "[M,N] -> { S0[i] : 0 <= i < M }",
                             "[M,N] -> { S0_u[i,j] : 0 <= i < M and 0 <= j < N }");
    s->reduce = SQ_OP_MAX;
    s->body = read_of(k, "X", "{ S0_u[i,j] -> X[(i),(j)] }", 1);
    stmt_write(k, s, "m", "{ S0[i] -> m[(i)] }", 1);
    s->value = reduced(k, SQ_F32);
    s = kernel_stmt(k, "S1", "i j", 1, "[M,N] -> { S1[i] : 0 <= i < M }", updates);
    sq_expr *m = read_of(k, "m", "{ S1_u[i,j] -> m[(i)] }", 2);
    sq_expr *diff = node(k, SQ_OP_SUB, SQ_F32, read_of(k, "X", sum_of, 2), m);
    s->body = node(k, SQ_OP_EXP, SQ_F32, diff, NULL);
    stmt_write(k, s, "l", "{ S1[i] -> l[(i)] }", 2);
    s->value = reduced(k, SQ_F32);
    return k;
}
#endif
