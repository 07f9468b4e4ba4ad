/* Code generation, piece by piece: names of values and when they are
 * forgotten, coefficients and offsets of references, layouts of copies, ends and counts of tiles.
 * What the pieces make together is tested by tests/exec and tests/golden. */
#include "codegen/nest/box.h"
#include "codegen/emit.h"
#include "codegen/isa/isa.h"
#include "codegen/nest/lower.h"
#include "codegen/tile/values.h"
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/stats.h"
#include "tests/unit/isl_context.h"
#include "tests/unit/unit.h"
#include "transforms/transform.h"
#include <limits.h>

static sq_arena *arena;

/* ---- values ---- */

/* The register of a parameter's value. */
static const char *use(sq_values *v, sq_code_pool *pool, const char *name, bool counting,
                       bool expect_fresh)
{
    bool fresh;
    const sq_code_expr *e = sq_code_scalar(pool, SQ_F32, name);
    const sq_code_expr *held = sq_values_use(v, "t", e, counting, &fresh);
    if (!counting)
        assert_int_equal(fresh, expect_fresh);
    return held->buffer->name;
}

static void values_are_shared(void **state)
{
    (void)state;
    sq_code_pool *p = sq_code_pool_new(arena);
    sq_values *v = sq_values_new(p, 8);
    sq_values_enter(v);
    const char *a = use(v, p, "A", false, true);
    assert_string_equal(use(v, p, "A", false, false), a);
    assert_string_not_equal(use(v, p, "B", false, true), a);
    sq_values_enter(v);
    assert_string_equal(use(v, p, "A", false, false), a);
    use(v, p, "C", false, true);
    sq_values_leave(v);
    use(v, p, "C", false, true); /* the inner block is closed */
    sq_values_leave(v);
    sq_values_free(v);
}

/* Two registers, three values used twice: the oldest is loaded again under another name. */
static void values_are_forgotten(void **state)
{
    (void)state;
    static const char *const text[] = {"a", "b", "c", "a", "b", "c"};
    sq_code_pool *p = sq_code_pool_new(arena);
    sq_values *v = sq_values_new(p, 2);
    sq_values_enter(v);
    for (int i = 0; i < 6; i++)
        use(v, p, text[i], true, false);
    sq_values_forget_inner(v);
    const char *first = use(v, p, "a", false, true);
    use(v, p, "b", false, true);
    use(v, p, "c", false, true);
    assert_true(sq_values_forgotten(v) > 0);
    assert_string_not_equal(use(v, p, "a", false, true), first);
    sq_values_leave(v);
    sq_values_free(v);
}

/* ---- references and copies ---- */

static sq_unit *parse(const char *body)
{
    sq_diags *d = sq_diags_new();
    sq_parse_options o = {0};
    sq_unit *u = sq_parse(ctx, "t.sq", body, strlen(body), &o, d);
    assert_non_null(u);
    assert_int_equal(sq_deps_compute(u->kernel[0], d), 0);
    sq_diags_free(d);
    return u;
}

static sq_schedule *schedule(const sq_unit *u, const char *script)
{
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(u->kernel[0], u->arena);
    int rc = sq_script_apply(s, script, "script", u->arena, d);
    if (rc != 0)
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
    assert_int_equal(rc, 0);
    sq_diags_free(d);
    return s;
}

static sq_nest *lower(const sq_unit *u, const char *script)
{
    sq_diags *d = sq_diags_new();
    sq_nest *n = sq_lower(schedule(u, script), 0, NULL, NULL, sq_code_pool_new(u->arena), d);
    assert_non_null(n);
    sq_diags_free(d);
    return n;
}

static const char conv[] =
    "#include \"squall.h\"\n"
    "kernel conv(const f32 I[8][31][33], const f32 G[16][8][3][3], f32 O[16][15][16])\n"
    "{ idx f, y, x, c, r, s;\n"
    "  O[f][y][x] = sum(I[c][2*y + r][2*x + s] * G[f][c][r][s], c, r, s); }\n";

static void coefficients(void **state)
{
    (void)state;
    sq_unit *u = parse(conv);
    sq_nest *n = lower(u, "");
    const sq_ref *i = NULL;
    for (int r = 0; r < n->nrefs; r++)
        if (strcmp(n->ref[r]->array->name, "I") == 0)
            i = n->ref[r];
    assert_non_null(i);
    /* dims f y x c r s; subscripts [c][2y + r][2x + s] */
    static const int64_t expect[3][6] = {
        {0, 0, 0, 1, 0, 0}, {0, 2, 0, 0, 1, 0}, {0, 0, 2, 0, 0, 1}};
    for (int a = 0; a < 3; a++)
        for (int d = 0; d < 6; d++)
            assert_int_equal(i->coef[a][d], expect[a][d]);
    int64_t delta[SQ_MAX_DIMS] = {0, 1, 3, 2, 1, 2};
    assert_int_equal(sq_ref_offset(i, delta).known, 2 * 31 * 33 + 3 * 33 + 8);
    static const int64_t origin[SQ_MAX_DIMS] = {0};
    sq_offset step;
    assert_true(sq_ref_step(i, origin, 2, 1, 0, &step));
    assert_int_equal(step.known, 2);
    sq_unit_free(u);
}

/* The vector dimension of a strided convolution: phases of two, lanes neighbours. */
static void phases(void **state)
{
    (void)state;
    sq_unit *u = parse(conv);
    sq_nest *n = lower(u, "pack(I at top) micro(f:4, r:3, s:3, x:8 | c) vectorize(x:8)");
    assert_int_equal(n->nbuffers, 1);
    const sq_axis *x = &n->buffer[0]->axis[2];
    assert_int_equal(x->split, SQ_SPLIT_PHASE);
    assert_int_equal(x->block, 2);
    assert_int_equal(x->step_q, 1);
    for (int r = 0; r < n->nrefs; r++)
        if (n->ref[r]->buffer) {
            static const int64_t origin[SQ_MAX_DIMS] = {0};
            sq_offset step;
            assert_true(sq_ref_step(n->ref[r], origin, 2, 1, 0, &step));
            assert_int_equal(step.known, 1);
        }
    sq_unit_free(u);
}

static void panels(void **state)
{
    (void)state;
    sq_unit *u = parse(conv);
    sq_nest *n = lower(u, "pack(G at top as f8) micro(x:4, r:3, s:3, f:8 | c)");
    const sq_axis *f = &n->buffer[0]->axis[0];
    assert_int_equal(f->split, SQ_SPLIT_PANEL);
    assert_int_equal(f->step_r, 1);
    assert_int_equal(f->step_q, 8 * 8 * 9);
    assert_true(n->buffer[0]->elements >= 16 * 8 * 9);
    sq_unit_free(u);
}

/* ---- every address of random copies ---- */

/* Where the copy has the element of these subscripts, less the constant part of the box's start. */
static int64_t place_of(const sq_buffer *b, const int64_t *subscript)
{
    int64_t at = 0;
    for (int a = 0; a < b->naxes; a++) {
        const sq_axis *x = &b->axis[a];
        int64_t position = (subscript[a] - x->konst) / x->stride;
        assert_int_equal((subscript[a] - x->konst) % x->stride, 0);
        assert_in_range(position, 0, x->extent - 1);
        at += x->split ? position / x->block * x->step_q + position % x->block * x->step_r
                       : position * x->step_q;
    }
    assert_in_range(at, 0, b->elements - 1);
    return at;
}

static void subscripts_at(const sq_ref *r, const int64_t *point, int64_t *subscript)
{
    for (int a = 0; a < r->nsubs; a++) {
        subscript[a] = r->konst[a];
        for (int d = 0; d < 2; d++)
            subscript[a] += r->coef[a][d] * point[d];
    }
}

/* The tile's base pointer, as the emitted text finds it (base.c). */
static int64_t origin_of(const sq_ref *r, const int64_t *origin)
{
    int64_t at = 0;
    for (int a = 0; a < r->nsubs; a++) {
        const sq_axis *x = &r->buffer->axis[a];
        int64_t s = r->coef[a][0] * origin[0] + r->coef[a][1] * origin[1];
        at += s / (x->stride * (x->split ? x->block : 1)) * x->step_q;
    }
    return at;
}

/* All lanes and rows of the tile at this origin; how many lanes had addresses of their own. */
static int check_tile(const sq_nest *n, const sq_ref *r, const int64_t *origin)
{
    const sq_micro *m = &n->group->micro;
    int apart = 0;
    for (int64_t i = 0; i < m->points[0]; i++)
        for (int64_t j = 0; j < m->points[1]; j++) {
            int64_t delta[SQ_MAX_DIMS] = {i, j}, point[] = {origin[0] + i, origin[1] + j},
                    from[SQ_MAX_DIMS] = {i, j}, subscript[SQ_MAX_SUBS];
            int64_t lane = delta[m->vector] % m->lanes;
            sq_offset step;
            from[m->vector] -= lane;
            bool even = sq_ref_step(r, from, m->vector, 1, m->lanes, &step);
            int64_t offset = even ? sq_ref_offset(r, from).known + lane * step.known
                                  : sq_ref_offset(r, delta).known;
            subscripts_at(r, point, subscript);
            assert_int_equal(origin_of(r, origin) + offset, place_of(r->buffer, subscript));
            apart += !even;
        }
    return apart;
}

/* All tiles of one filling. */
static int check_copy(const sq_nest *n, const sq_ref *r, const int64_t *tile, const int64_t *covers)
{
    const int64_t *points = n->group->micro.points;
    int apart = 0;
    for (int64_t i0 = 0; i0 < covers[0]; i0 += tile[0])
        for (int64_t j0 = 0; j0 < covers[1]; j0 += tile[1])
            for (int64_t i = 0; i < tile[0] && i0 + i < covers[0]; i += points[0])
                for (int64_t j = 0; j < tile[1] && j0 + j < covers[1]; j += points[1])
                    apart += check_tile(n, r, (int64_t[]){i0 + i, j0 + j});
    return apart;
}

enum { EXTENT = 24 };

/* Tiles, a copy of A and vectors at random; tile[]: the steps of the loops outside. */
static const char *random_script(sq_rng *random, bool panels, int at, int64_t *tile)
{
    static const char *const loop[] = {"top", "i0", "j0"};
    int64_t points[2], block = 2 + (int64_t)sq_rng_below(random, 3);
    for (int d = 0; d < 2; d++) {
        points[d] = (int64_t[]){1, 2, 3, 4, 8}[sq_rng_below(random, 5)];
        if (panels && d == 0)
            points[d] = block * (1 + (int64_t)sq_rng_below(random, 2));
        tile[d] = points[d] * (1 + (int64_t)sq_rng_below(random, 3)) +
                  (sq_rng_below(random, 4) == 0 ? (int64_t)sq_rng_below(random, 3) : 0);
    }
    int vector = (int)sq_rng_below(random, 2);
    int64_t lanes = panels && vector == 0 ? block : points[vector];
    while (lanes > 1 && (lanes % 2 || sq_rng_below(random, 3) == 0))
        lanes = lanes % 2 ? 1 : lanes / 2;
    const char *as = panels ? sq_arena_printf(arena, " as i%lld", (long long)block) : "";
    return sq_arena_printf(arena,
                           "tile(i:%lld, j:%lld) order(i0, j0, i, j) pack(A at %s%s) "
                           "micro(i:%lld, j:%lld) vectorize(%c:%lld)",
                           (long long)tile[0], (long long)tile[1], loop[at], as,
                           (long long)points[0], (long long)points[1], "ij"[vector],
                           (long long)lanes);
}

/* One random script over a kernel: how many references were checked; what is refused tells nothing.
 */
static int check_random(const sq_unit *u, sq_rng *random, bool panels, int *apart)
{
    int64_t tile[2];
    int at = (int)sq_rng_below(random, 3), checked = 0;
    const char *script = random_script(random, panels, at, tile);
    sq_diags *d = sq_diags_new();
    sq_schedule *s = sq_schedule_new(u->kernel[0], u->arena);
    sq_nest *n = sq_script_apply(s, script, "script", u->arena, d) == 0
                     ? sq_lower(s, 0, NULL, NULL, sq_code_pool_new(u->arena), d)
                     : NULL;
    int64_t covers[] = {at > 0 && tile[0] < EXTENT ? tile[0] : EXTENT,
                        at > 1 && tile[1] < EXTENT ? tile[1] : EXTENT};
    for (int r = 0; n && n->group->micro.vector >= 0 && r < n->nrefs; r++)
        if (n->ref[r]->buffer) {
            *apart += check_copy(n, n->ref[r], tile, covers);
            checked++;
        }
    sq_diags_free(d);
    return checked;
}

/* Y = A[..][..] - A[..][..]: any coefficients; `i` alone in one subscript; alone in either. */
static const char *random_kernel(sq_rng *random, int kind)
{
    long long c[4], k[4];
    for (int x = 0; x < 4; x++) {
        c[x] = (long long)sq_rng_below(random, 3);
        k[x] = (long long)sq_rng_below(random, 4);
    }
    const char *any = sq_arena_printf(arena, "%lld * i + %lld * j", c[0], c[1]),
               *row = kind == 0 ? sq_arena_printf(arena, "%lld * i + %lld * j", c[2], c[3]) : "i",
               *column = kind == 2 ? "i" : any;
    return sq_arena_printf(
        arena,
        "#include \"squall.h\"\n"
        "kernel k(const f32 A[200][200], f32 Y[%d][%d])\n"
        "{ idx i, j; Y[i][j] = A[%s + %lld][%s + %lld] - A[%s + %lld][%s + %lld]; }\n",
        EXTENT, EXTENT, row, kind ? 0 : k[0], column, k[1], row, kind == 1 ? 0 : k[2], column,
        kind == 2 ? 0 : k[3]);
}

/* Whatever a copy's layout and the subscripts: each lane's address is where the layout has the
 * element that the description names. */
static void addresses_are_the_layout(void **state)
{
    (void)state;
    sq_rng random = {20};
    int checked = 0, apart = 0;
    for (int i = 0; i < 60; i++) {
        sq_unit *u = parse(random_kernel(&random, i % 3));
        for (int x = 0; x < 40; x++)
            checked += check_random(u, &random, i % 3 > 0, &apart);
        sq_unit_free(u);
    }
    assert_in_range(checked, 1000, INT_MAX);
    assert_in_range(apart, 100, INT_MAX);
}

/* ---- bounds ---- */

static const char gemm[] =
    "#include \"squall.h\"\n"
    "kernel gemm(int N, const f32 A[49][64], const f32 B[64][N], f32 C[49][N])\n"
    "{ idx i, j, k; C[i][j] = sum(A[i][k] * B[k][j], k); }\n";

static void counts(void **state)
{
    (void)state;
    sq_unit *u = parse(gemm);
    sq_nest *n = lower(u, "tile(i:12) micro(i:6, j:16 | k)");
    /* 49 = 4 * 12 + 1: all six or one; the other size is not known */
    assert_int_equal(n->count[0].kind, SQ_COUNT_EXACT);
    assert_int_equal(n->count[0].rest, 1);
    assert_int_equal(n->count[1].kind, SQ_COUNT_RUNTIME);
    n = lower(u, "micro(i:7, j:16 | k)");
    assert_int_equal(n->count[0].kind, SQ_COUNT_FULL);
    n = lower(u, "tile(i:10) micro(i:6, j:16 | k)");
    /* 10 and 9: six, four, three */
    assert_int_equal(n->count[0].kind, SQ_COUNT_RUNTIME);
    sq_unit_free(u);
}

static const sq_node *find(const sq_node *n, sq_node_kind kind)
{
    for (; n; n = n->next) {
        if (n->kind == kind)
            return n;
        const sq_node *inner = find(n->body, kind);
        if (inner)
            return inner;
    }
    return NULL;
}

static void triangles_are_guarded(void **state)
{
    (void)state;
    sq_unit *u =
        parse("#include \"squall.h\"\n"
              "kernel syrk(int N, const f32 A[N][8], f32 C[N][N])\n"
              "{ idx i, j, k; range(j, 0, i + 1); C[i][j] = sum(A[i][k] * A[j][k], k); }\n");
    sq_nest *n = lower(u, "micro(i:4, j:8 | k)");
    const sq_node *guard = find(n->root, SQ_NODE_IF);
    assert_non_null(guard);
    assert_int_equal(guard->body->kind, SQ_NODE_TILE);
    assert_int_equal(guard->other->kind, SQ_NODE_SCAN);
    sq_unit_free(u);
    u = parse(gemm);
    n = lower(u, "micro(i:6, j:16 | k)");
    assert_null(find(n->root, SQ_NODE_IF));
    assert_non_null(find(n->root, SQ_NODE_TILE));
    sq_unit_free(u);
}

static int setup(void **state)
{
    arena = sq_arena_new();
    return open_isl(state);
}

static int teardown(void **state)
{
    sq_arena_free(arena);
    return close_isl(state);
}

/* Rows are complete: whoever asks one needs no test for NULL. */
static void targets(void **state)
{
    (void)state;
    assert_ptr_equal(sq_target_get("c"), &sq_targets[0]);
    assert_null(sq_target_get("sse9"));
    assert_true(sq_target_runs_here(sq_target_get("c")));
    assert_true(sq_target_runs_here(sq_target_host()));
    for (const sq_target *t = sq_targets; t->name; t++) {
        assert_ptr_equal(t->grid ? sq_target_arch(t->name, t->grid->arch) : sq_target_get(t->name),
                         t);
        assert_non_null(t->language);
        assert_non_null(sq_machine_class(t->machine));
        assert_true(t->doc[0] && t->isa && t->language->source && t->language->header);
        assert_true(t->cflags && t->guard && t->attribute && t->macro && t->emulator && t->cross);
        assert_true(!t->isa->masks || t->isa->masked);
        assert_int_equal(sq_machine_class(t->machine)->vector_bytes, t->vector_bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(targets),
        cmocka_unit_test(values_are_shared),
        cmocka_unit_test(values_are_forgotten),
        cmocka_unit_test(coefficients),
        cmocka_unit_test(phases),
        cmocka_unit_test(panels),
        cmocka_unit_test(addresses_are_the_layout),
        cmocka_unit_test(counts),
        cmocka_unit_test(triangles_are_guarded),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
