/* Loop names: see loop_names.h. One walk over the loop's body for each loop. */
#include "codegen/lower/loop_names.h"
#include "codegen/nest/ast_places.h"
#include "codegen/print/names.h"
#include "support/words.h"
#include <isl/id.h>
#include <isl/val.h>
#include <string.h>

/* What the statements in a loop make of its iterator. */
typedef struct uses {
    const sq_ast_lowering *w;
    const char *iterator;
    const char *dim;  /* the first dimension that it is; NULL: none so far */
    bool is_tile;     /* it may be over tiles: */
    /* the name of the first loop that begins at it, of whose tiles no loop around is; NULL: none so far */
    const char *tile;
    const char *skewed; /* "i_t": the first dimension to which a loop around is added; NULL: none so far */
    bool is_other;      /* a statement has it in other expressions alone, or the dimension has no name that serves */
} uses;

static bool is_name(isl_ast_expr *e, const char *name)
{
    isl_id *id = isl_ast_expr_get_type(e) == isl_ast_expr_id ? isl_ast_expr_id_get_id(e) : NULL;
    bool same = id && strcmp(isl_id_get_name(id), name) == 0;
    isl_id_free(id);
    return same;
}

static bool mentions(isl_ast_expr *e, const char *name)
{
    bool any = is_name(e, name);
    int n = isl_ast_expr_get_type(e) == isl_ast_expr_op ? (int)isl_ast_expr_op_get_n_arg(e) : 0;
    for (int i = 0; i < n && !any; i++) {
        isl_ast_expr *arg = isl_ast_expr_op_get_arg(e, i);
        any = mentions(arg, name);
        isl_ast_expr_free(arg);
    }
    return any;
}

static bool is_around(const sq_ast_scope *s, const char *name)
{
    while (s && strcmp(s->name, name) != 0)
        s = s->before;
    return s != NULL;
}

static const char *of_tiles(const sq_ast_lowering *w, const char *dim)
{
    return sq_arena_printf(w->pool->arena, "%s0", dim);
}

/* True if e is a sum that the iterator is a term of. */
static bool is_term(isl_ast_expr *e, const char *name)
{
    bool is_op = isl_ast_expr_get_type(e) == isl_ast_expr_op, is = false;
    enum isl_ast_expr_op_type op = is_op ? isl_ast_expr_op_get_type(e) : isl_ast_expr_op_error;
    if (op != isl_ast_expr_op_add && op != isl_ast_expr_op_sub)
        return is_name(e, name);
    for (int i = 0; i < (op == isl_ast_expr_op_add ? 2 : 1) && !is; i++) {
        isl_ast_expr *term = isl_ast_expr_op_get_arg(e, i);
        is = is_term(term, name);
        isl_ast_expr_free(term);
    }
    return is;
}

/* Returns "i_t" for a dimension i that is the iterator minus a multiple of the loop t around, and NULL for others. */
static const char *skewed_by(const uses *u, isl_ast_expr *at, const char *dim)
{
    if (!dim || is_name(at, u->iterator) || !is_term(at, u->iterator))
        return NULL;
    for (const sq_ast_scope *s = u->w->scope; s; s = s->before)
        if (mentions(at, s->iterator))
            return sq_arena_printf(u->w->pool->arena, "%s_%s", dim, s->name);
    return NULL;
}

/* A statement that has the iterator as a dimension may have others that are shifted by it. */
static void of_call(uses *u, isl_ast_node *node)
{
    isl_ast_expr *e = isl_ast_node_user_get_expr(node), *f = isl_ast_expr_op_get_arg(e, 0);
    isl_id *tuple = isl_ast_expr_id_get_id(f);
    bool is_dim = false, is_other = false;
    for (int d = 0; d < (int)isl_ast_expr_op_get_n_arg(e) - 1; d++) {
        isl_ast_expr *at = isl_ast_expr_op_get_arg(e, d + 1);
        bool is_it = is_name(at, u->iterator), any = is_it || mentions(at, u->iterator);
        const char *dim = any ? u->w->dim(isl_id_get_name(tuple), d, u->w->user) : NULL;
        is_dim |= is_it && dim;
        is_other |= any && !(is_it && dim);
        u->dim = u->dim || !is_it ? u->dim : dim;
        u->skewed = u->skewed ? u->skewed : skewed_by(u, at, dim);
        isl_ast_expr_free(at);
    }
    u->is_other |= is_other && !is_dim;
    isl_id_free(tuple);
    isl_ast_expr_free(f);
    isl_ast_expr_free(e);
}

static uses uses_in(const sq_ast_lowering *w, isl_ast_node *loop, bool is_tile);

/* Returns what the loop is over: a dimension, or one that is skewed; NULL: none. */
static const char *name_of(uses u)
{
    return u.is_other || !u.dim ? u.skewed : u.dim;
}

static void of_node(uses *u, isl_ast_node *node /* __isl_take */);

static const char *iterator_of(const sq_ast_lowering *w, isl_ast_node *loop)
{
    isl_ast_expr *e = isl_ast_node_for_get_iterator(loop);
    isl_id *id = isl_ast_expr_id_get_id(e);
    const char *name = sq_arena_strdup(w->pool->arena, isl_id_get_name(id));
    isl_id_free(id);
    isl_ast_expr_free(e);
    return name;
}

/* Statements may be skewed by loops between the one over tiles and the one over their points. */
static void of_inner(uses *u, isl_ast_node *loop)
{
    const sq_ast_lowering *around = u->w;
    sq_ast_lowering inside = *around;
    const char *name = name_of(uses_in(around, loop, false)), *iterator = iterator_of(around, loop);
    isl_ast_expr *lo = isl_ast_node_for_get_init(loop);
    if (!u->tile && name && mentions(lo, u->iterator) && /* a diagonal is the beginning of two */
        !is_around(around->scope, of_tiles(around, name)))
        u->tile = name;
    isl_ast_expr_free(lo);
    sq_ast_scope scope = {iterator, name ? name : iterator, around->scope};
    inside.scope = &scope;
    u->w = &inside;
    of_node(u, isl_ast_node_for_get_body(loop));
    u->w = around;
}

static void of_loop(uses *u, isl_ast_node *loop)
{
    if (u->is_tile)
        of_inner(u, loop);
    else
        of_node(u, isl_ast_node_for_get_body(loop));
}

static void of_list(uses *u, isl_ast_node_list *list /* __isl_take */)
{
    for (int i = 0; i < (int)isl_ast_node_list_n_ast_node(list); i++)
        of_node(u, isl_ast_node_list_get_ast_node(list, i));
    isl_ast_node_list_free(list);
}

static void of_node(uses *u, isl_ast_node *node)
{
    isl_ast_node_list *sequence = sq_ast_sequence(node);
    if (sequence) {
        of_list(u, sequence);
    } else if (isl_ast_node_get_type(node) == isl_ast_node_for) {
        of_loop(u, node);
    } else if (isl_ast_node_get_type(node) == isl_ast_node_if) {
        of_node(u, isl_ast_node_if_get_then_node(node));
        if (isl_ast_node_if_has_else_node(node) == isl_bool_true)
            of_node(u, isl_ast_node_if_get_else_node(node));
    } else if (isl_ast_node_get_type(node) == isl_ast_node_user) {
        of_call(u, node);
    } else if (isl_ast_node_get_type(node) == isl_ast_node_block) {
        of_list(u, isl_ast_node_block_get_children(node));
    } else if (isl_ast_node_get_type(node) == isl_ast_node_mark) {
        of_node(u, isl_ast_node_mark_get_node(node));
    }
    isl_ast_node_free(node);
}

static uses uses_in(const sq_ast_lowering *w, isl_ast_node *loop, bool is_tile)
{
    uses u = {.w = w, .iterator = iterator_of(w, loop), .is_tile = is_tile};
    of_node(&u, isl_ast_node_for_get_body(loop));
    return u;
}

/* True if the loop has a step of its own: then it is over tiles, the corners of which statements may be at. */
static bool has_step(isl_ast_node *loop)
{
    if (isl_ast_node_for_is_degenerate(loop) == isl_bool_true)
        return false;
    isl_ast_expr *inc = isl_ast_node_for_get_inc(loop);
    isl_val *by = isl_ast_expr_get_type(inc) == isl_ast_expr_int ? isl_ast_expr_int_get_val(inc) : NULL;
    bool one = by && isl_val_is_one(by) == isl_bool_true;
    isl_val_free(by);
    isl_ast_expr_free(inc);
    return !one;
}

/* Returns the name that serves the loop; NULL: none. */
static const char *name_of_loop(const sq_ast_lowering *w, isl_ast_node *loop)
{
    uses u = uses_in(w, loop, false);
    if (!has_step(loop) && (u.dim || u.is_other))
        return name_of(u);
    u = uses_in(w, loop, true);
    const char *of = u.tile ? u.tile : u.dim;
    return of ? of_tiles(w, of) : NULL;
}

sq_ast_scope sq_loop_scope(const sq_ast_lowering *w, isl_ast_node *loop)
{
    const char *iterator = iterator_of(w, loop), *name = w->dim ? name_of_loop(w, loop) : NULL;
    bool free = name && !is_around(w->scope, name) && !sq_names_taken(w->kernel, name);
    return (sq_ast_scope){iterator, free ? name : iterator, w->scope};
}

const char *sq_loop_dim(const sq_kernel *k, const sq_stmt *s, int d)
{
    const char *name = s->dim[d];
    bool is_word = sq_is_cpp_word(name) || sq_is_cuda_word(name);
    return is_word || sq_names_taken(k, name) || (s->counted && s->counted[d]) ? NULL : name;
}
