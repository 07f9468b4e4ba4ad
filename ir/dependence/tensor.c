/* Tensor: which sums of products matrix instructions compute, and what their tiles require of the
 * loops around. See tensor.h. */
#include "ir/dependence/tensor.h"
#include "ir/dependence/legal.h"
#include <string.h>

/* Shapes of sm_80 and later; those of four warps of sm_90a. Products of f16, bf16 and bytes are
 * exact in the sum's type; f32 has only an instruction that rounds it first. */
static const sq_tensor_shape shapes[] = {
    {SQ_F16, SQ_F32, 16, 8, 16, false, 1},
    {SQ_BF16, SQ_F32, 16, 8, 16, false, 1},
    {SQ_F32, SQ_F32, 16, 8, 8, true, 1},
    {SQ_I8, SQ_I32, 16, 8, 32, false, 1},
    {SQ_U8, SQ_I32, 16, 8, 32, false, 1},
    {SQ_F16, SQ_F32, 64, 8, 16, false, SQ_WARPGROUP},
    {SQ_BF16, SQ_F32, 64, 8, 16, false, SQ_WARPGROUP},
};

const sq_tensor_shape *sq_tensor_shape_of(sq_type operand, sq_type sum, int warps)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].operand == operand && shapes[i].sum == sum && shapes[i].warps == warps)
            return &shapes[i];
    return NULL;
}

bool sq_tensor_is_warpgroup(const sq_group *g)
{
    return g->micro.tensor.m == SQ_WARPGROUP_ROWS;
}

static int warps_of(const sq_group *g)
{
    return sq_tensor_is_warpgroup(g) ? SQ_WARPGROUP : 1;
}

bool sq_group_is_tensor(const sq_group *g)
{
    return g->micro.tensor.m > 0;
}

bool sq_tensor_has(const sq_group *g, int d)
{
    return sq_group_is_tensor(g) && (d == g->micro.tensor.rows || d == g->micro.tensor.columns);
}

/* Returns the element of a factor, which has the sum's type or is cast to it. */
static const sq_access *factor(const sq_expr *e, sq_type sum)
{
    if (e->op == SQ_OP_CAST && e->type == sum)
        e = e->arg[0];
    return e->op == SQ_OP_READ && !e->access->indirect ? e->access : NULL;
}

bool sq_tensor_product_of(const sq_group *g, int rows, int columns, int steps, sq_tensor_product *p)
{
    const sq_stmt *s = g->stmt[0];
    memset(p, 0, sizeof *p);
    if (!s->updates || s->reduce != SQ_OP_ADD || s->body->op != SQ_OP_MUL)
        return false;
    p->sum = s->body->type;
    for (int i = 0; i < 2; i++) {
        const sq_access *a = factor(s->body->arg[i], p->sum);
        if (!a || !sq_access_moves(a, steps) || sq_access_moves(a, rows) == sq_access_moves(a, columns))
            return false;
        p->of[sq_access_moves(a, columns)] = a;
    }
    return p->of[0] && p->of[1] && p->of[0]->array->type == p->of[1]->array->type;
}

int sq_tensor_loop(const sq_group *g)
{
    for (int l = g->nloops - 1; l >= 0; l--)
        if (g->loop[l].dim == g->micro.serial)
            return l;
    return -1;
}

static bool product(const sq_group *g, sq_tensor_product *p)
{
    const sq_micro *m = &g->micro;
    return sq_tensor_product_of(g, m->tensor.rows, m->tensor.columns, m->serial, p);
}

bool sq_tensor_reads(const sq_group *g, const sq_array *a)
{
    sq_tensor_product p;
    return sq_group_is_tensor(g) && product(g, &p) && (p.of[0]->array == a || p.of[1]->array == a);
}

bool sq_tensor_rounds(const sq_group *g)
{
    sq_tensor_product p;
    return sq_group_is_tensor(g) && product(g, &p) &&
           sq_tensor_shape_of(p.of[0]->array->type, p.sum, warps_of(g))->rounds;
}

/* ---- legality ---- */

/* Checks the operands, by form and by the floating-point contract. */
static int operands_fit(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_tensor *x = &g->micro.tensor;
    sq_tensor_product p;
    if (!product(g, &p))
        return sq_illegal(s, why,
                          "matrix instructions add up products of two elements of one type, one of "
                          "them along '%s' and '%s', the other along '%s' and '%s'; %s adds up "
                          "something else",
                          g->dim[x->rows], g->dim[g->micro.serial], g->dim[g->micro.serial],
                          g->dim[x->columns], g->stmt[0]->name);
    sq_type of = p.of[0]->array->type;
    const sq_tensor_shape *shape = sq_tensor_shape_of(of, p.sum, warps_of(g));
    if (!shape && sq_tensor_is_warpgroup(g))
        return sq_illegal(
            s, why,
            "instructions of 64 rows multiply f16 or bf16 and add up in f32, not %s in %s; "
            "leave tensorize out, or take the instruction of a warp",
            sq_type_name(of), sq_type_name(p.sum));
    if (!shape)
        return sq_illegal(s, why,
                          "there is no matrix instruction for sums in %s of products of %s: it has "
                          "to be f16, bf16 or f32 summed in f32, int8_t or uint8_t in int32_t",
                          sq_type_name(p.sum), sq_type_name(of));
    if (shape->warps > 1 && (x->k != shape->k || x->n % shape->n || x->n > SQ_WARPGROUP_COLUMNS))
        return sq_illegal(s, why,
                          "instructions of %d rows have %d steps and a multiple of %d columns, at "
                          "most %d: tensorize(%s:%d, %s:128, %s:%d)",
                          shape->m, shape->k, shape->n, SQ_WARPGROUP_COLUMNS, g->dim[x->rows],
                          shape->m, g->dim[x->columns], g->dim[g->micro.serial], shape->k);
    if (shape->warps == 1 && (shape->m != x->m || shape->n != x->n || shape->k != x->k))
        return sq_illegal(
            s, why, "the instruction for %s has another shape: tensorize(%s:%d, %s:%d, %s:%d)",
            sq_type_name(of), g->dim[x->rows], shape->m, g->dim[x->columns], shape->n,
            g->dim[g->micro.serial], shape->k);
    if (shape->rounds && s->kernel->fp != SQ_FP_FAST)
        return sq_illegal(s, why,
                          "matrix instructions round f32 to tf32, which has 10 bits behind the "
                          "point: only `#pragma squall fp fast` allows that");
    if (g->stmt[0]->ordered)
        return sq_illegal(s, why,
                          "fp strict keeps the order of a reduction, and a matrix "
                          "instruction has one of its own");
    for (int i = 0; i < 2; i++)
        if (p.of[i]->edge == SQ_EDGE_CLAMP ||
            (p.of[i]->edge == SQ_EDGE_PAD && !sq_number_is_zero(p.of[i]->outside)))
            return sq_illegal(s, why,
                              "steps beyond the end of the sum are filled with zeros, and %s is "
                              "read with something else outside",
                              p.of[i]->array->name);
    return 0;
}

/* Checks the warp's tile: whole instructions, in their layout, one after the other. */
static int tile_fits(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_micro *m = &g->micro;
    const sq_tensor *x = &m->tensor;
    if (sq_tensor_is_warpgroup(g) &&
        (m->points[x->rows] != x->m / SQ_WARPGROUP || m->points[x->columns] != x->n))
        return sq_illegal(s, why,
                          "each of the four warps of an instruction has %d of its rows and all of "
                          "its columns: micro(%s:%d, %s:%d | %s)",
                          x->m / SQ_WARPGROUP, g->dim[x->rows], x->m / SQ_WARPGROUP,
                          g->dim[x->columns], x->n, g->dim[m->serial]);
    if (!sq_tensor_is_warpgroup(g) && (m->points[x->rows] % x->m || m->points[x->columns] % x->n))
        return sq_illegal(s, why,
                          "a warp's tile of %lld x %lld points is no whole number of instructions "
                          "of %d x %d",
                          (long long)m->points[x->rows], (long long)m->points[x->columns], x->m,
                          x->n);
    for (int d = 0; d < g->ndim; d++)
        if (d != x->rows && d != x->columns && d != m->serial &&
            (m->points[d] > 1 || (d >= g->nfree && sq_group_inner_loop(g, d) < 0)))
            return sq_illegal(s, why,
                              "the tile of matrix instructions has rows, columns and steps; '%s' "
                              "needs a loop",
                              g->dim[d]);
    if (m->unroll > 1 || m->split > 1)
        return sq_illegal(
            s, why, "the instruction takes %d steps at once; leave unroll and split out", x->k);
    if (m->vector != x->columns || m->lanes != 2)
        return sq_illegal(s, why,
                          "the instruction says which elements lie side by side; leave "
                          "vectorize out");
    return 0;
}

/* Checks the loops: those over its points are shared by warps, and sums stay in registers. */
static int loops_fit(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_tensor *x = &g->micro.tensor;
    const int both[2] = {x->rows, x->columns};
    int k = sq_tensor_loop(g);
    for (int i = 0; i < 2; i++) {
        int l = sq_group_inner_loop(g, both[i]);
        if (g->loop[l].runs != SQ_LOOP_LANES || !sq_loop_covers(g, l))
            return sq_illegal(s, why,
                              "warps share the tile's loops and cover the tiles around them: "
                              "tile(%s:%lld) thread(%s)",
                              g->dim[both[i]], (long long)(2 * g->loop[l].step), g->dim[both[i]]);
    }
    if (k < 0 || g->loop[k].step % x->k)
        return sq_illegal(s, why,
                          "the sum's loop has whole instructions of %d steps in each iteration: "
                          "tile(%s:%d)",
                          x->k, g->dim[g->micro.serial], 2 * x->k);
    if (sq_group_partial_sums(g))
        return sq_illegal(s, why,
                          "the sums stay in the registers of a warp: hold the outermost "
                          "loop of the reduction, as in hold(%s)",
                          g->loop[k].name);
    return 0;
}

/* Returns the number of warps along the tile's rows: those of the rows' loop, and of loops around
 * it over further dimensions of the same operand, such as lines of pixels. */
static int64_t row_warps(const sq_group *g, int rows)
{
    sq_tensor_product p;
    int64_t n = sq_loop_threads(g, rows);
    for (int l = product(g, &p) ? rows - 1 : -1; l >= 0; l--) {
        int d = g->loop[l].dim;
        if (g->loop[l].runs != SQ_LOOP_LANES)
            continue;
        if (g->loop[l].step != 1 || !sq_loop_covers(g, l) || !sq_access_moves(p.of[0], d) ||
            sq_access_moves(p.of[1], d))
            break;
        n *= sq_loop_threads(g, l);
    }
    return n;
}

/* The four warps of an instruction are adjacent along the rows. */
static int warpgroups_fit(const sq_schedule *s, const sq_group *g, const char **why)
{
    const sq_tensor *x = &g->micro.tensor;
    int rows = sq_group_inner_loop(g, x->rows);
    int64_t inside = 1;
    if (!sq_tensor_is_warpgroup(g))
        return 0;
    for (int l = rows + 1; l < g->nloops; l++)
        if (g->loop[l].runs == SQ_LOOP_LANES)
            inside *= sq_loop_threads(g, l);
    if (row_warps(g, rows) % SQ_WARPGROUP == 0 && inside == 1)
        return 0;
    return sq_illegal(s, why,
                      "four adjacent warps run an instruction of %d rows: tiles of '%s', times those of "
                      "dimensions around it that threads share, are a multiple of that, and '%s' is the "
                      "innermost loop that several warps share",
                      x->m, g->dim[x->rows], g->loop[rows].name);
}

/* True if instructions of four warps can read a copy while the next one is made. */
static bool suits(const sq_group *g, const sq_pack *p)
{
    return !sq_tensor_is_warpgroup(g) || (p->stages > 1 && p->pad == 0);
}

static int copies_fit(const sq_schedule *s, const sq_group *g, const char **why)
{
    sq_tensor_product p;
    int k = sq_tensor_loop(g);
    product(g, &p);
    for (int i = 0; i < 2; i++) {
        bool found = false;
        for (int c = 0; c < g->npacks; c++)
            found |=
                g->pack[c].shared && g->pack[c].loop == k && sq_pack_serves(&g->pack[c], p.of[i]);
        if (!found)
            return sq_illegal(s, why,
                              "matrix instructions have their operands from shared memory: "
                              "share(%s at %s)",
                              p.of[i]->array->name, g->loop[k].name);
        for (int c = 0; c < g->npacks; c++)
            if (sq_pack_serves(&g->pack[c], p.of[i]) && !suits(g, &g->pack[c]))
                return sq_illegal(s, why,
                                  "instructions of %d rows read a copy while the next one is made, "
                                  "in an order without padding: share(%s at %s, stages:3)",
                                  g->micro.tensor.m, p.of[i]->array->name, g->loop[k].name);
    }
    return 0;
}

int sq_tensor_legal(const sq_schedule *s, const sq_group *g, const char **why)
{
    if (!sq_group_is_tensor(g))
        return 0;
    return operands_fit(s, g, why) || tile_fits(s, g, why) || loops_fit(s, g, why) ||
                   warpgroups_fit(s, g, why) || copies_fit(s, g, why)
               ? -1
               : 0;
}
