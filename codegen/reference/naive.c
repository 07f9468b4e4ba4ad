/* Naive: the kernel as it was written, as C. Every statement in textual order, every instance in
 * written order, no transform; the text that all other text is compared with. Floating-point
 * arithmetic is in double and reductions are summed in double, so that it is the more precise side
 * of any comparison. Under `fp strict` it is in the kernel's own types, each operation rounded by
 * itself: then every text must agree with it to the last bit. The plain loops are the same nest as
 * a person would write it, in the kernel's own types with one sum at a time.
 *
 * An index statement with a reduction keeps the partial sums of a block of its last free dimension
 * in a buffer: for i, for each block of j: clear, for k for j: add, for j: write. The innermost
 * loop is contiguous and a plain compiler vectorises it, which is what makes checking a 2048^3
 * product a matter of seconds. isl generates these loops from three statements (clear, add, write),
 * so ranges that depend on each other (triangles) are no special case. */
#include "codegen/reference/naive.h"
#include "codegen/nest/ast_loops.h"
#include "codegen/isa/math.h"
#include "codegen/emit.h"
#include "codegen/print/scalar.h"
#include "codegen/isa/strict.h"
#include "support/words.h"
#include <isl/ast_build.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <isl/id.h>
#include <stdlib.h>

enum { BLOCK = 256, MAX_ITERATORS = 64 };

static void find_overlap(sq_expr *e, void *user)
{
    const sq_array **write = user;
    if (e->op == SQ_OP_READ && *write && e->access->array != *write &&
        sq_arrays_overlap(e->access->array, *write))
        *write = NULL;
}

/* True if the statement keeps a row of partial sums, not only one. False if the next element may
 * read the one that it writes. */
static bool has_row(const sq_naive *n, const sq_stmt *s)
{
    const sq_array *write = s->write->array;
    if (n->is_as_written || s->written_loops || !s->updates || s->nfree == 0)
        return false;
    sq_expr_walk(s->body, find_overlap, &write);
    sq_expr_walk(s->value, find_overlap, &write);
    return write != NULL;
}

/* ---- times ---- */

/* Returns the instances of one phase, under the phase's name. */
static isl_set *phase_domain(const sq_kernel *k, const sq_stmt *s, sq_naive_phase phase)
{
    isl_set *set = isl_set_copy(phase == SQ_NAIVE_ADD ? s->updates : s->domain);
    return isl_set_set_tuple_name(
        set, sq_arena_printf(k->arena, "%s%s", s->name, sq_naive_suffix[phase]));
}

static isl_aff *coordinate(isl_space *space /* __isl_keep */, int d)
{
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
    return isl_aff_var_on_domain(ls, isl_dim_set, (unsigned)d);
}

static isl_aff *constant(isl_space *space /* __isl_keep */, int value)
{
    isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
    return isl_aff_add_constant_si(isl_aff_zero_on_domain(ls), value);
}

/* Returns floor(coordinate d / BLOCK) */
static isl_aff *block_of(isl_space *space /* __isl_keep */, int d)
{
    return isl_aff_floor(isl_aff_scale_down_ui(coordinate(space, d), BLOCK));
}

static isl_map *map_of(isl_space *space /* __isl_keep */, isl_aff_list *list /* __isl_take */)
{
    isl_space *range = isl_space_set_alloc(isl_space_get_ctx(space), 0, 0);
    range = isl_space_add_dims(range, isl_dim_set, (unsigned)isl_aff_list_n_aff(list));
    range = isl_space_align_params(range, isl_space_copy(space));
    isl_space *both = isl_space_map_from_domain_and_range(isl_space_copy(space), range);
    return isl_map_from_multi_aff(isl_multi_aff_from_aff_list(both, list));
}

/* Appends [phase, reduction dims or zeros, nred of them] to list */
static isl_aff_list *add_phase(isl_aff_list *list, isl_space *space /* __isl_keep */,
                               const sq_stmt *s, sq_naive_phase phase, int nred)
{
    list = isl_aff_list_add(list, constant(space, (int)phase));
    for (int r = 0; r < nred; r++) {
        bool own = phase == SQ_NAIVE_ADD && s->nfree + r < s->ndim;
        list = isl_aff_list_add(list, own ? coordinate(space, s->nfree + r) : constant(space, 0));
    }
    return list;
}

/* For an index statement: outer free dims, block of the last, phase, reduction, last free dim. */
static isl_map *index_time(const sq_naive *n, isl_space *space /* __isl_keep */, const sq_stmt *s,
                           sq_naive_phase phase)
{
    isl_aff_list *list = isl_aff_list_alloc(isl_space_get_ctx(space), MAX_ITERATORS);
    bool row = has_row(n, s);
    for (int d = 0; d < s->nfree - row; d++)
        list = isl_aff_list_add(list, coordinate(space, d));
    if (row)
        list = isl_aff_list_add(list, block_of(space, s->nfree - 1));
    list = add_phase(list, space, s, phase, s->ndim - s->nfree);
    if (row)
        list = isl_aff_list_add(list, coordinate(space, s->nfree - 1));
    return map_of(space, list);
}

/* For a statement of C loops: its textual time, then phase and reduction. */
static isl_map *written_time(isl_space *space /* __isl_keep */, const sq_stmt *s,
                             sq_naive_phase phase, int nred)
{
    isl_aff_list *free_dims = isl_aff_list_alloc(isl_space_get_ctx(space), MAX_ITERATORS);
    for (int d = 0; d < s->nfree; d++)
        free_dims = isl_aff_list_add(free_dims, coordinate(space, d));
    isl_map *instance = isl_map_set_tuple_name(map_of(space, free_dims), isl_dim_out, s->name);
    isl_map *time = isl_map_apply_range(instance, isl_map_copy(s->textual));
    isl_aff_list *rest = isl_aff_list_alloc(isl_space_get_ctx(space), MAX_ITERATORS);
    return isl_map_flat_range_product(time, map_of(space, add_phase(rest, space, s, phase, nred)));
}

static isl_union_map *add_stmt(const sq_naive *n, isl_union_map *time, const sq_stmt *s, int nred)
{
    for (int p = 0; p < SQ_NAIVE_PHASES; p++) {
        if (p != SQ_NAIVE_WRITE && !s->updates)
            continue;
        isl_set *domain = phase_domain(n->k, s, (sq_naive_phase)p);
        isl_space *space = isl_set_get_space(domain);
        isl_map *map = s->written_loops ? written_time(space, s, (sq_naive_phase)p, nred)
                                        : index_time(n, space, s, (sq_naive_phase)p);
        isl_space_free(space);
        time = isl_union_map_add_map(time, isl_map_intersect_domain(map, domain));
    }
    return time;
}

/* ---- tree ---- */

static void free_slot(void *user)
{
    isl_ast_expr_free(user);
}

/* Returns the index of an instance's partial sum in the row: last free coordinate modulo BLOCK, in
 * terms of the loops (isl knows the block's loop, so this is a difference). */
static isl_ast_expr *slot_of(isl_ast_build *build /* __isl_keep */, isl_map *time /* __isl_take */,
                             const sq_stmt *s)
{
    isl_space *space = isl_space_domain(isl_map_get_space(time));
    isl_aff *slot = coordinate(space, s->nfree - 1);
    slot = isl_aff_sub(slot, isl_aff_scale_val(block_of(space, s->nfree - 1),
                                               isl_val_int_from_si(isl_map_get_ctx(time), BLOCK)));
    isl_pw_multi_aff *back = isl_pw_multi_aff_from_map(isl_map_reverse(time));
    isl_pw_aff *in_loops = isl_pw_aff_pullback_pw_multi_aff(isl_pw_aff_from_aff(slot), back);
    isl_space_free(space);
    return isl_ast_build_expr_from_pw_aff(build, in_loops);
}

static isl_ast_node *annotate(isl_ast_node *node, isl_ast_build *build, void *user)
{
    const sq_naive *n = user;
    isl_map *time = isl_map_from_union_map(isl_ast_build_get_schedule(build));
    sq_naive_phase phase;
    const sq_stmt *s = sq_naive_stmt(n->k, isl_map_get_tuple_name(time, isl_dim_in), &phase);
    if (!s || !has_row(n, s)) {
        isl_map_free(time);
        return node;
    }
    isl_id *id = isl_id_alloc(isl_ast_node_get_ctx(node), "slot", slot_of(build, time, s));
    return isl_ast_node_set_annotation(node, isl_id_set_free_user(id, free_slot));
}

static isl_ast_build *new_build(const sq_naive *n)
{
    const sq_kernel *k = n->k;
    /* correct also at sizes that violate an assumption and are computed nevertheless */
    isl_set *known = k->accepted ? k->accepted : k->context;
    isl_set *context =
        known ? isl_set_copy(known) : isl_set_universe(isl_space_params_alloc(k->ctx, 0));
    isl_ast_build *build = isl_ast_build_from_context(context);
    isl_id_list *names = isl_id_list_alloc(k->ctx, MAX_ITERATORS);
    const char *stem = sq_naive_stem(k);
    for (int i = 0; i < MAX_ITERATORS; i++)
        names = isl_id_list_add(
            names, isl_id_alloc(k->ctx, sq_arena_printf(k->arena, "%sc%d", stem, i), NULL));
    build = isl_ast_build_set_iterators(build, names);
    return isl_ast_build_set_at_each_domain(build, annotate, (void *)n);
}

/* Returns the number of statements from s on that are generated together: a single index statement,
 * or consecutive statements of C loops. */
static int unit_length(const sq_kernel *k, int s)
{
    int n = 1;
    while (k->stmt[s]->written_loops && s + n < k->nstmts && k->stmt[s + n]->written_loops)
        n++;
    return n;
}

static isl_ast_node *unit_tree(const sq_naive *nest, int first, int n)
{
    const sq_kernel *k = nest->k;
    int nred = 0;
    for (int s = first; s < first + n; s++)
        if (k->stmt[s]->ndim - k->stmt[s]->nfree > nred)
            nred = k->stmt[s]->ndim - k->stmt[s]->nfree;
    isl_union_map *time = isl_union_map_empty(isl_space_params_alloc(k->ctx, 0));
    for (int s = first; s < first + n; s++)
        time = add_stmt(nest, time, k->stmt[s], nred);
    isl_ast_build *build = new_build(nest);
    return sq_ast_loops(k, build, time);
}

/* ---- text ---- */

static void put_count(const sq_array *a, const char *prefix, sq_text *to)
{
    sq_text_puts(to, "1");
    for (int d = 0; d < a->ndim; d++) {
        sq_text_printf(to, " * (size_t)%smax_i64(0, ", prefix);
        sq_scalar_aff(a->extent[d], NULL, prefix, to);
        sq_text_puts(to, ")");
    }
}

static void put_locals(const sq_kernel *k, const char *prefix, sq_text *to)
{
    for (int a = 0; a < k->narrays; a++) {
        const sq_array *array = k->array[a];
        const char *ctype = sq_type_ctype(array->type);
        if (array->role != SQ_LOCAL)
            continue;
        if (array->ndim == 0) {
            sq_text_line(to, "%s %s[1] = {0};", ctype, array->name);
            continue;
        }
        sq_text count = {0};
        put_count(array, prefix, &count);
        sq_text_line(to, "%s *%s = (%s *)malloc(sizeof(%s) + sizeof(%s) * %s);", ctype, array->name,
                     ctype, ctype, ctype, sq_text_str(&count));
        sq_text_line(to, "if (!%s)", array->name);
        sq_text_line(to, "    abort();");
        sq_text_free(&count);
    }
}

static void put_frees(const sq_kernel *k, sq_text *to)
{
    for (int a = 0; a < k->narrays; a++)
        if (k->array[a]->role == SQ_LOCAL && k->array[a]->ndim > 0)
            sq_text_line(to, "free(%s);", k->array[a]->name);
}

/* True if an index statement computes each element once, without reading others that it writes:
 * then its elements can be distributed over threads. */
static bool is_shared(const sq_naive *n, const sq_stmt *s)
{
    const sq_array *write = s->write->array;
    if (!n->in_threads || s->written_loops || s->nfree == 0)
        return false;
    sq_access *read[SQ_MAX_STMT_READS];
    int nreads = sq_stmt_all_reads(s, read, NULL);
    for (int i = 0; i < nreads; i++) {
        bool same = read[i]->array == write &&
                    isl_multi_aff_plain_is_equal(read[i]->map, s->write->map) == isl_bool_true;
        if (!same && (read[i]->array == write || sq_arrays_overlap(read[i]->array, write)))
            return false;
    }
    isl_map *map = isl_map_from_multi_aff(isl_multi_aff_copy(s->write->map));
    map = isl_map_intersect_domain(map, isl_set_copy(s->domain));
    bool once = isl_map_is_injective(map) == isl_bool_true;
    isl_map_free(map);
    return once;
}

static int put_unit(const sq_naive *nest, int first, int n, sq_text *to)
{
    const sq_kernel *k = nest->k;
    const char *stem = sq_naive_stem(k), *shared = NULL;
    isl_ast_node *tree = unit_tree(nest, first, n);
    if (!tree)
        return -1;
    sq_text_open(to, "{");
    for (int s = first; s < first + n; s++)
        if (k->stmt[s]->updates)
            sq_text_line(to, "%s %ssum_%s[%d];", sq_naive_sum_ctype(nest, k->stmt[s]), stem,
                         k->stmt[s]->name, has_row(nest, k->stmt[s]) ? BLOCK : 1);
    if (is_shared(nest, k->stmt[first]))
        shared = k->stmt[first]->updates
                     ? sq_arena_printf(k->arena, "#pragma omp parallel for private(%ssum_%s)", stem,
                                       k->stmt[first]->name)
                     : "#pragma omp parallel for";
    sq_naive_print(nest, tree, shared, to);
    sq_text_close(to, "}");
    return 0;
}

static int put_units(const sq_naive *nest, sq_text *to, sq_diags *d)
{
    const sq_kernel *k = nest->k;
    for (int s = 0; s < k->nstmts;) {
        int n = unit_length(k, s);
        if (put_unit(nest, s, n, to) < 0)
            return sq_ast_loops_refused(k->stmt[s], d);
        s += n;
    }
    return 0;
}

static void put_function(const sq_naive *n, const char *function, const sq_text *units, sq_text *to)
{
    const sq_kernel *k = n->k;
    sq_scalar_helpers(n->prefix, to);
    if (k->fp == SQ_FP_STRICT)
        sq_math_define_single(k, n->prefix, to);
    sq_text_printf(to, "\nvoid %1$s(%2$s);\nvoid %1$s(%2$s)\n", function,
                   sq_emit_params(k, SQ_EMIT_INSIDE, false, NULL, k->arena));
    sq_text_open(to, "{");
    put_locals(k, n->prefix, to);
    sq_text_puts(to, sq_text_str(units));
    put_frees(k, to);
    sq_text_close(to, "}");
}

static int emit(const sq_naive *n, const char *function, sq_text *to, sq_diags *d)
{
    sq_text units = {.indent = 1}, text = {0};
    int rc = put_units(n, &units, d);
    put_function(n, function, &units, &text);
    sq_text_puts(to, "#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n"
                     "#include <string.h>\n");
    sq_macros_undefine(sq_text_str(&text), false, to);
    sq_text_puts(to, "\n");
    sq_strict_begin(n->k, to);
    sq_text_puts(to, sq_text_str(&text));
    sq_strict_end(n->k, to);
    sq_text_free(&units);
    sq_text_free(&text);
    return rc;
}

int sq_emit_naive(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d)
{
    sq_naive n = {.k = k, .prefix = sq_arena_printf(k->arena, "%s_", function)};
    return emit(&n, function, to, d);
}

int sq_emit_naive_threads(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d)
{
    sq_naive n = {.k = k, .prefix = sq_arena_printf(k->arena, "%s_", function), .in_threads = true};
    return emit(&n, function, to, d);
}

int sq_emit_plain(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d)
{
    sq_naive n = {.k = k, .prefix = sq_arena_printf(k->arena, "%s_", function), .is_as_written = true};
    return emit(&n, function, to, d);
}
