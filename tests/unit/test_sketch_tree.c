/* Sketch of trees: register tiles of statements that share loops with others, as coordinates. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/file.h"
#include "tests/unit/sketch_fixture.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include <isl/ctx.h>
#include <isl/options.h>

static void open_blocked_lu(fixture *f)
{
    size_t n;
    int64_t sizes[64];
    sq_text path = {0};
    sq_parse_options o = {0};
    f->d = sq_diags_new();
    sq_text_printf(&path, "%s/samples/blocked_lu.sq", getenv("SQUALL_SOURCE"));
    char *text = sq_file_read(f->d, sq_text_str(&path), &n);
    assert_non_null(text);
    f->ctx = isl_ctx_alloc();
    isl_options_set_on_error(f->ctx, ISL_ON_ERROR_CONTINUE);
    f->u = sq_parse(f->ctx, "blocked_lu.sq", text, n, &o, f->d);
    assert_non_null(f->u);
    assert_int_equal(sq_deps_compute(f->u->kernel[0], f->d), 0);
    f->naive = sq_schedule_new(f->u->kernel[0], f->u->arena);
    sq_nominal_sizes(f->u->kernel[0], sizes);
    f->sketch = sq_sketch_new(f->naive, sq_machine_class("avx2"), sq_target_get("avx2"), sizes, 1, f->u->arena);
    free(text);
    sq_text_free(&path);
}

static const char *script_at(const fixture *f, const int *point)
{
    sq_text script = {0};
    sq_sketch_script(f->sketch, point, &script);
    return sq_text_take(&script, f->u->arena);
}

static bool applies(const fixture *f, const int *point)
{
    return sq_script_try(sq_schedule_copy(f->naive, f->u->arena), script_at(f, point), f->u->arena);
}

static int coordinate(const fixture *f, const char *name)
{
    const sq_space *sp = sq_sketch_space(f->sketch);
    for (int c = 0; c < sp->n; c++)
        if (strcmp(sp->coord[c].name, name) == 0)
            return c;
    fail_msg("there is no coordinate %s", name);
    return -1;
}

/* Statements of a tree have register tiles as coordinates, in one of its orders: each can be left as it is, and other
 * orders have none. The model's point has the tile of what takes the time. */
static void statements_have_tiles(void **state)
{
    (void)state;
    fixture f;
    int point[SQ_MAX_COORDS];
    open_blocked_lu(&f);
    const sq_space *sp = sq_sketch_space(f.sketch);
    assert_int_equal(sq_draft_point(f.sketch, 0, point), 0);
    assert_non_null(strstr(script_at(&f, point), "auto(fuse:min, keep:1) "));
    assert_non_null(strstr(script_at(&f, point), "S3: "));
    assert_true(applies(&f, point));
    point[coordinate(&f, "S3.rows")] = 3; /* the fourth choice: 4 */
    assert_non_null(strstr(script_at(&f, point), "i:4"));
    double with = sq_sketch_cost(f.sketch, point);
    point[coordinate(&f, "S3.nest")] = 0;
    assert_null(strstr(script_at(&f, point), "S3: "));
    assert_true(applies(&f, point));
    assert_true(sq_sketch_cost(f.sketch, point) > 2 * with);
    memcpy(point, sp->start, sizeof point);
    point[coordinate(&f, "order")] = 1;
    assert_null(strstr(script_at(&f, point), "micro"));
    assert_true(applies(&f, point));
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statements_have_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
