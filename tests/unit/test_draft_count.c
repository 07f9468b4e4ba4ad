/* Draft counts: what the model counts of a plan (tuner/model/draft_count.h) against what is counted off the code
 * that the plan becomes (codegen/counted.h): of all samples and the kernels of tests/exec, for four targets,
 * under the model's own choice. They agree within a tolerance, or a row says why they do not. */
#include "codegen/counted.h"
#include "codegen/nest/ref.h"
#include "tests/unit/interpreted.h"
#include "transforms/transform.h"
#include "tuner/model/draft.h"
#include "tuner/model/draft_count.h"
#include "tuner/space/forms.h"
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum figure { ARITHMETIC, LOADS, REGISTERS, FIGURES } figure;

static const char *const figure_name[] = {"instructions of arithmetic", "loads", "registers"};

/* Where a figure is out of the range that the model's allows. Each row has to explain something. */
static struct {
    const char *file, *kernel; /* NULL: all of the file */
    figure figure;
    const char *why;
    int n; /* differences explained */
} explained[] = {
    {"bytes.sq", NULL, ARITHMETIC, "conversions of integers of several widths are left out", 0},
    {"ends.sq", "means", ARITHMETIC, "conversions of integers of two widths are left out", 0},
    {"types.sq", NULL, ARITHMETIC, "conversions of integers and halves are left out", 0},
    {"bytes.sq", NULL, LOADS, "what is read as two types is loaded for each", 0},
    {"bytes.sq", "window_slopes", REGISTERS, "what one reference reads is kept for later terms of another", 0},
    {"bytes.sq", "window_counts", REGISTERS, "masks of comparisons, without instructions for them", 0},
    {"ends.sq", "wide_window", LOADS, "what the second statement reads is loaded after the sums", 0},
    {"ends.sq", "wide_window", REGISTERS, "windows along the lanes overlap", 0},
    {"types.sq", NULL, LOADS, "what is read as two types is loaded for each", 0},
    {"odd.sq", "by_sizes", ARITHMETIC, "conversions of integers of two widths are left out", 0},
    {"index.sq", "chosen", REGISTERS, "values of indices and masks of a long expression", 0},
    {"index.sq", "places", REGISTERS, "values of indices and masks of positions among ties", 0},
    {"index.sq", "bits", REGISTERS, "values of indices and masks of a long expression", 0},
    {"index.sq", "wide", LOADS, "lanes of what is computed in wider types", 0},
    {"loops.sq", "integers", REGISTERS, "values of indices and masks of a long expression", 0},
    {"loops.sq", "integers", ARITHMETIC, "conversions of integers are left out", 0},
    {"loops.sq", "guarded", LOADS, "what several arms of a choice read is loaded once", 0},
    {"lanes.sq", "centre", ARITHMETIC,
     "a factor that depends on its index alone is one for all rows", 0},
    {"lanes.sq", "narrow", ARITHMETIC, "masks of one width become masks of another", 0},
    {"online.sq", "weighted", LOADS, "what rows share is loaded for each square of registers", 0},
    {"lanes.sq", "turned_bytes", REGISTERS, "a square of registers", 0},
    {"halves.sq", "turned_u8", REGISTERS, "a square of registers", 0},
    {"halves.sq", "turned_i16", REGISTERS, "a square of registers", 0},
    {"halves.sq", "narrowed", ARITHMETIC, "conversions of integers are left out", 0},
    {"lanes.sq", "signs", ARITHMETIC, "conditions become numbers", 0},
    {"conv1d.sq", NULL, LOADS, "windows along the vector overlap by whole vectors", 0},
    {"odd.sq", "leaky_products", REGISTERS, "masks of comparisons", 0},
    {"online.sq", "late", REGISTERS, "values on the way to a long expression's result", 0},
    {"hoist.sq", "scaled_middle", REGISTERS, "numbers of lanes are values", 0},
    {"hoist.sq", "scaled_edge", LOADS, "neighbouring elements of the filter are one load", 0},
    {"holes.sq", "shared_rows", ARITHMETIC, "X[i] + 1 is computed once for a row", 0},
    {"holes.sq", "shared_rows", LOADS, "the tile is that of rows without a term", 0},
    {"odd.sq", "masked_sums", REGISTERS, "the tile is that of points without a term", 0},
    {"indirect.sq", NULL, ARITHMETIC, "places of lanes are computed one by one", 0},
    {"indirect.sq", NULL, LOADS, "places and what lies there are loaded lane by lane", 0},
    {"odd.sq", "band", LOADS, "steps along a diagonal: lanes are loaded one by one", 0},
    {"jacobi.sq", NULL, LOADS, "references in a cross count as one window", 0},
    {"strict.sq", "blur", LOADS, "references in a cross count as one window", 0},
    {"odd.sq", "at_edges", LOADS, "some references lie outside of the window of the others", 0},
    {"index.sq", "pooled", LOADS, "the second sum's tile also loads the first one's", 0},
    {"index.sq", "pooled", REGISTERS, "both sums' windows are held at once", 0},
    {"online.sq", "again", LOADS, "a tile without a loop loads what is added after its sums", 0},
    {"ends.sq", "filtered", ARITHMETIC, "a tile that has all values of an index is inlined with numbers", 0},
    {"lanes.sq", "counts", ARITHMETIC, "a tile that has all values of an index is inlined with numbers", 0},
    {"ends.sq", "causal", LOADS, "a tile without a loop loads what is added after its sums", 0},
    {"odd.sq", "skipped", LOADS, "what one reference loads the other reads two taps later", 0},
    {"odd.sq", "skipped", REGISTERS, "what one reference loads is kept for the other", 0},
};

/* What the code may have by what the model says. */
typedef struct range {
    double from, to;
} range;

/* The model takes every second operation for part of a multiply-add, as it is in products; conversions it
 * leaves out. Comparisons and values of indices it counts at every point, which the code shares between
 * points that have the same. */
static range arithmetic_by(const sq_plan *q, const sq_draft_count *m)
{
    double shared = m->sums * m->terms * q->shape->step_decisions;
    double least =
        q->shape->step_flops > 0 ? m->arithmetic - shared - 1 : 0; /* none: values move */
    return (range){least, 2 * m->arithmetic + 1};
}

/* Values that are read again are estimated: the code reads at least the different ones. */
static range loads_by(const sq_plan *q, const sq_draft_count *m, int registers)
{
    double again = 0;
    for (int i = 0; i < q->shape->noperands; i++)
        again += m->reads[i] - m->distinct[i];
    bool is_tight = again > 0 || m->registers > registers;
    return is_tight ? (range){m->loads - again, 2 * m->loads} : (range){m->loads, m->loads};
}

/* Sums and operands, and what an expression takes besides. Tiles that add nothing up keep nothing from one
 * point to the next: whether they fit is not asked. */
static range registers_by(const sq_plan *q, const sq_draft_count *m, int registers)
{
    bool adds_up = q->shape->group->stmt[0]->updates != NULL;
    double least = m->registers < registers ? m->registers : registers;
    return adds_up ? (range){least - 3, m->registers + 4} : (range){0, registers};
}

/* A sketch's first point that becomes a legal schedule, as compile looks for it. */
typedef struct choice {
    sq_schedule *schedule;
    sq_sketch *sketch;
    int point[SQ_MAX_COORDS];
} choice;

static sq_sketch *sketch_of(sq_schedule *s, const sq_target *t, sq_arena *a)
{
    const sq_machine *m = sq_machine_class(t->machine);
    sq_text script = {0};
    sq_form form[SQ_MAX_FORMS];
    int64_t sizes[64];
    sq_draft_forward(s, a, &script);
    sq_draft_distribute(s, a, &script);
    sq_nominal_sizes(s->kernel, sizes);
    sq_draft_hoist(s, sizes, a, &script);
    sq_draft_merge(s, a, &script);
    sq_draft_narrow(s, t, a, &script);
    sq_draft_dot(s, t, sizes, a, &script);
    const sq_form *first = &form[sq_forms_first(form, sq_forms_find(s, a, form))];
    const char *calls = sq_form_script(first, SQ_FORM_TILE, a);
    if (*calls)
        sq_script_try(s, calls, a);
    sq_draft_fuse(s, a, &script);
    sq_draft_auto(s, m, t, 1, a, &script);
    sq_text_free(&script);
    return sq_sketch_new(s, m, t, sizes, 1, a);
}

static bool choose(sq_kernel *k, const sq_target *t, sq_arena *a, choice *c)
{
    sq_schedule *s = sq_schedule_new(k, a);
    c->sketch = sketch_of(s, t, a);
    for (int rank = 0; sq_sketch_groups(c->sketch); rank++) {
        sq_text script = {0};
        const char *why = NULL;
        if (sq_draft_point(c->sketch, rank, c->point) != 0)
            return false;
        c->schedule = sq_schedule_copy(s, a);
        sq_sketch_script(c->sketch, c->point, &script);
        bool legal = sq_script_try(c->schedule, sq_text_str(&script), a) &&
                     !sq_copies_refused(c->schedule, a, &why);
        sq_text_free(&script);
        if (legal)
            return true;
    }
    return false;
}

static const char *names_of(const sq_group *g, sq_arena *a)
{
    const char *all = g->stmt[0]->name;
    for (int i = 1; i < g->nstmts; i++)
        all = sq_arena_printf(a, "%s, %s", all, g->stmt[i]->name);
    return all;
}

static bool is_explained(const char *file, const char *kernel, figure f)
{
    for (size_t i = 0; i < LENGTH(explained); i++) {
        bool of_file = !explained[i].file || strcmp(explained[i].file, file) == 0;
        bool of_kernel = !explained[i].kernel || strcmp(explained[i].kernel, kernel) == 0;
        if (of_file && of_kernel && explained[i].figure == f) {
            explained[i].n++;
            return true;
        }
    }
    return false;
}

typedef struct tally {
    const char *file;
    const sq_target *target;
    int compared, exact, wrong;
} tally;

static const char *const target_name[] = {"avx512", "avx2", "generic", "neon"};
enum { TARGETS = LENGTH(target_name) };
static tally tallies[TARGETS];

static void compare(tally *t, const sq_kernel *k, const char *stmts, const sq_plan *q,
                    const sq_counted_loop *loop)
{
    const sq_code_count *code = &loop->count;
    int registers = t->target->registers;
    const sq_draft_count m = sq_draft_counted(q, t->target);
    const double is[] = {(code->multiply_adds + code->operations + code->calls) * loop->times,
                         code->loads * loop->times, code->registers},
                 says[] = {m.arithmetic, m.loads, m.registers};
    const range by[] = {arithmetic_by(q, &m), loads_by(q, &m, registers),
                        registers_by(q, &m, registers)};
    t->compared++;
    t->exact += is[LOADS] == says[LOADS];
    for (figure f = ARITHMETIC; f < FIGURES; f++) {
        if ((by[f].from <= is[f] && is[f] <= by[f].to) || is_explained(t->file, k->name, f))
            continue;
        print_error("%s: %s of %s for %s: the model counts %g %s, the code has %g\n", t->file,
                    stmts, k->name, t->target->name, says[f], figure_name[f], is[f]);
        t->wrong++;
    }
}

/* Groups whose points are computed one by one have no tile to compare. */
static void compare_kernel(tally *t, sq_kernel *k, sq_diags *d)
{
    sq_arena *a = sq_arena_new();
    choice c;
    sq_counted_loop *list;
    if (!choose(k, t->target, a, &c)) {
        sq_arena_free(a);
        return;
    }
    int n = sq_counted(c.schedule, t->target, false, a, &list, d);
    for (int g = 0; g < sq_sketch_groups(c.sketch); g++) {
        sq_plan q;
        sq_sketch_plan(c.sketch, g, c.point, &q);
        const char *names = q.shape ? names_of(q.shape->group, a) : "";
        for (int i = 0; i < n; i++)
            if (list[i].part && strcmp(list[i].stmts, names) == 0)
                compare(t, k, names, &q, &list[i]);
    }
    sq_arena_free(a);
}

static void compare_file(const char *path)
{
    sq_diags *d = sq_diags_new();
    sq_unit *u = sample_open(path);
    for (int i = 0; i < TARGETS; i++) {
        tallies[i].file = strrchr(path, '/') + 1;
        for (int k = 0; k < u->nkernels; k++)
            compare_kernel(&tallies[i], u->kernel[k], d);
    }
    sq_unit_free(u);
    sq_diags_free(d);
}

static void compare_folder(const char *folder)
{
    char path[600];
    const char *root = getenv("SQUALL_SOURCE");
    snprintf(path, sizeof path, "%s/%s", root ? root : ".", folder);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (const struct dirent *e; (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 4 || strcmp(e->d_name + n - 3, ".sq") != 0 || strcmp(e->d_name, "math.sq") == 0)
            continue; /* math.sq needs definitions */
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        compare_file(path);
    }
    closedir(dir);
}

/* Each file is read once for all targets. */
static void all_samples_and_kernels(void **state)
{
    (void)state;
    for (int i = 0; i < TARGETS; i++)
        tallies[i].target = sq_target_get(target_name[i]);
    compare_folder("samples");
    compare_folder("tests/exec");
    for (int i = 0; i < TARGETS; i++) {
        const tally *t = &tallies[i];
        print_message("%s: %d tiles, %d with the same loads, %d differences unexplained\n", t->target->name,
                      t->compared, t->exact, t->wrong);
        assert_true(t->compared > 200 && t->exact > t->compared * 3 / 4);
        assert_int_equal(t->wrong, 0);
    }
}

/* After all the others. */
static void all_rows_explain_something(void **state)
{
    (void)state;
    for (size_t i = 0; i < LENGTH(explained); i++) {
        if (!explained[i].n)
            print_error("nothing of %s is explained by: %s\n",
                        explained[i].kernel ? explained[i].kernel : explained[i].file,
                        explained[i].why);
        assert_true(explained[i].n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_samples_and_kernels),
                                       cmocka_unit_test(all_rows_explain_something)};
    return cmocka_run_group_tests(tests, open_isl, close_isl);
}
