/* Tree: nodes, conversion of rows to isl's functions and back, times. See tree.h. */
#include "ir/schedule/tree.h"
#include "support/text.h"
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>
#include <string.h>

const char *sq_fuse_strategy_name(sq_fuse_strategy f)
{
    static const char *const name[] = {"smart", "max", "min"};
    return name[f];
}

sq_tree *sq_tree_new(sq_arena *arena, sq_tree_kind kind, int nchildren, const int *stmt, int nstmts)
{
    sq_tree *t = SQ_NEW(arena, sq_tree);
    t->kind = kind;
    t->nchildren = nchildren;
    t->child = SQ_NEW_ARRAY(arena, sq_tree *, nchildren + 1);
    t->nstmts = nstmts;
    t->stmt = SQ_NEW_ARRAY(arena, int, nstmts + 1);
    memcpy(t->stmt, stmt, (size_t)nstmts * sizeof *stmt);
    return t;
}

sq_tree *sq_tree_copy(const sq_tree *t, sq_arena *arena)
{
    sq_tree *c = sq_tree_new(arena, t->kind, t->nchildren, t->stmt, t->nstmts);
    c->nmembers = t->nmembers;
    c->wavefront = t->wavefront;
    c->permutable = t->permutable;
    c->nest = t->nest;
    c->member = SQ_NEW_ARRAY(arena, sq_member, t->nmembers + 1);
    if (t->nmembers)
        memcpy(c->member, t->member, (size_t)t->nmembers * sizeof *c->member);
    for (int i = 0; i < t->nchildren; i++)
        c->child[i] = sq_tree_copy(t->child[i], arena);
    return c;
}

/* ---- rows ---- */

bool sq_tree_holds(const sq_tree *t, int stmt)
{
    bool found = false;
    for (int i = 0; i < t->nstmts; i++)
        found |= t->stmt[i] == stmt;
    return found;
}

int sq_row_counted(const sq_stmt *s, const sq_row *r)
{
    int last = -1;
    for (int d = 0; d < s->nfree; d++)
        last = r->dim[d] ? d : last;
    return last;
}

isl_aff *sq_row_aff(const sq_kernel *k, const sq_stmt *s, const sq_row *r)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(s->domain));
    isl_aff *a = isl_aff_zero_on_domain(ls);
    for (int d = 0; d < s->nfree; d++)
        a = isl_aff_set_coefficient_si(a, isl_dim_in, d, (int)r->dim[d]);
    for (int i = 0; i < k->nsizes; i++) {
        isl_local_space *own = isl_aff_get_domain_local_space(a);
        int p = isl_local_space_find_dim_by_name(own, isl_dim_param, k->size[i]->name);
        isl_local_space_free(own);
        if (p >= 0 && r->size[i])
            a = isl_aff_set_coefficient_si(a, isl_dim_param, p, (int)r->size[i]);
    }
    return isl_aff_add_constant_val(a, isl_val_int_from_si(k->ctx, (long)r->konst));
}

static bool take_int(isl_val *v, int64_t *x)
{
    bool ok = isl_val_is_int(v) == isl_bool_true;
    *x = ok ? isl_val_get_num_si(v) : 0;
    isl_val_free(v);
    return ok && *x > -(1 << 20) && *x < 1 << 20;
}

bool sq_row_read(const sq_kernel *k, const sq_stmt *s, isl_aff *aff, sq_row *r)
{
    isl_local_space *ls = isl_aff_get_domain_local_space(aff);
    bool ok = isl_local_space_dim(ls, isl_dim_div) == 0;
    memset(r, 0, sizeof *r);
    for (int d = 0; d < s->nfree && ok; d++)
        ok = take_int(isl_aff_get_coefficient_val(aff, isl_dim_in, d), &r->dim[d]);
    for (int i = 0; i < k->nsizes && ok; i++) {
        int p = isl_local_space_find_dim_by_name(ls, isl_dim_param, k->size[i]->name);
        if (p >= 0)
            ok = take_int(isl_aff_get_coefficient_val(aff, isl_dim_param, p), &r->size[i]);
    }
    for (int i = 0; i < k->nproducts && ok; i++) {
        int64_t none = 0;
        int p = isl_local_space_find_dim_by_name(ls, isl_dim_param, k->product[i]->name);
        ok =
            p < 0 || (take_int(isl_aff_get_coefficient_val(aff, isl_dim_param, p), &none) && !none);
    }
    ok = ok && take_int(isl_aff_get_constant_val(aff), &r->konst);
    isl_local_space_free(ls);
    return ok;
}

/* ---- values and times ---- */

static isl_pw_aff *point(const sq_kernel *k, const sq_tree *t, int m, const sq_stmt *s, int index)
{
    return isl_pw_aff_from_aff(sq_row_aff(k, s, &t->member[m].row[index]));
}

/* Returns floor(row / size) */
static isl_pw_aff *tile(const sq_kernel *k, const sq_tree *t, int m, const sq_stmt *s, int index)
{
    isl_val *n = isl_val_int_from_si(k->ctx, (long)t->member[m].size);
    return isl_pw_aff_floor(isl_pw_aff_scale_down_val(point(k, t, m, s, index), n));
}

isl_pw_aff *sq_tree_value(const sq_kernel *k, const sq_tree *t, int member, const sq_stmt *s,
                          int index)
{
    if (t->kind == SQ_TREE_BAND)
        return point(k, t, member, s, index);
    isl_pw_aff *a = tile(k, t, member, s, index);
    if (member == 0 && t->wavefront)
        return isl_pw_aff_add(a, tile(k, t, 1, s, index));
    return isl_pw_aff_scale_val(a, isl_val_int_from_si(k->ctx, (long)t->member[member].size));
}

bool sq_tree_shared(const sq_tree *t)
{
    for (int i = 0; i < t->nmembers; i++)
        if (t->member[i].parallel)
            return true;
    for (int i = 0; i < t->nchildren; i++)
        if (sq_tree_shared(t->child[i]))
            return true;
    return t->nest && sq_schedule_shared(t->nest->schedule);
}

const sq_tree_nest *sq_tree_nest_of(const sq_tree *t, int stmt)
{
    const sq_tree_nest *n = t->nest;
    for (int i = 0; i < t->nchildren && !n; i++)
        if (sq_tree_holds(t->child[i], stmt))
            n = sq_tree_nest_of(t->child[i], stmt);
    return n;
}

int sq_tree_depth(const sq_tree *t)
{
    int most = 0;
    for (int i = 0; i < t->nchildren; i++) {
        int n = sq_tree_depth(t->child[i]);
        most = n > most ? n : most;
    }
    return most + (t->kind == SQ_TREE_SEQUENCE ? 1 : t->nmembers);
}

static isl_pw_aff *constant(const sq_stmt *s, int value)
{
    isl_local_space *ls = isl_local_space_from_space(isl_set_get_space(s->domain));
    isl_aff *a = isl_aff_add_constant_si(isl_aff_zero_on_domain(ls), value);
    return isl_pw_aff_from_aff(a);
}

static isl_map *append(isl_map *m, isl_pw_aff *v)
{
    isl_map *one = isl_map_from_pw_aff(v);
    return m ? isl_map_flat_range_product(m, one) : one;
}

isl_map *sq_tree_time(const sq_kernel *k, const sq_tree *t, const sq_stmt *s, int index, int depth)
{
    isl_map *m = NULL;
    int n = 0;
    while (t->kind != SQ_TREE_LEAF) {
        int next = 0;
        for (int i = 0; i < t->nmembers; i++, n++)
            m = append(m, sq_tree_value(k, t, i, s, index));
        if (t->kind == SQ_TREE_SEQUENCE) {
            while (next < t->nchildren - 1 && !sq_tree_holds(t->child[next], index))
                next++;
            m = append(m, constant(s, next));
            n++;
        }
        t = t->child[next];
    }
    for (; n < depth || !m; n++)
        m = append(m, constant(s, 0));
    return m;
}

/* ---- text ---- */

static bool put_term(sq_text *to, bool first, int64_t c, const char *name)
{
    if (c == 0)
        return first;
    sq_text_puts(to, first ? (c < 0 ? "-" : "") : c < 0 ? " - " : " + ");
    c = c < 0 ? -c : c;
    if (!name)
        sq_text_printf(to, "%lld", (long long)c);
    else if (c == 1)
        sq_text_puts(to, name);
    else
        sq_text_printf(to, "%lld*%s", (long long)c, name);
    return false;
}

static void put_row(const sq_stmt *s, const sq_row *r, sq_text *to)
{
    bool first = true;
    for (int d = 0; d < s->nfree; d++)
        first = put_term(to, first, r->dim[d], s->dim[d]);
    first = put_term(to, first, r->konst, NULL);
    if (first)
        sq_text_puts(to, "0");
}

static void print_member(const sq_group *g, const sq_tree *t, int m, sq_text *to)
{
    const sq_member *x = &t->member[m];
    sq_text line = {0};
    for (int i = 0; i < t->nstmts; i++) {
        const sq_stmt *s = g->stmt[t->stmt[i]];
        sq_text_printf(&line, "%s%s: ", i ? ", " : "", s->name);
        put_row(s, &x->row[t->stmt[i]], &line);
    }
    sq_text_open(to, "%s %s%s%s", t->kind == SQ_TREE_TILE ? "tiles" : "loop", sq_text_str(&line),
                 t->wavefront && m == 0 ? ", along the wavefront" : "",
                 x->parallel && x->vector ? ", parallel, vectors"
                 : x->parallel            ? ", parallel"
                 : x->vector              ? ", vectors"
                                          : "");
    if (t->kind == SQ_TREE_TILE)
        sq_text_line(to, "by %lld", (long long)x->size);
    sq_text_free(&line);
}

/* Prints the register tile: "tile i:6, j:16 | k". */
static void print_tile(const sq_group *g, sq_text *to)
{
    sq_text line = {0};
    int n = 0;
    for (int d = 0; d < g->ndim; d++)
        if (g->micro.points[d] > 1 && d != g->micro.serial)
            sq_text_printf(&line, "%s%s:%lld", n++ ? ", " : " ", g->dim[d], (long long)g->micro.points[d]);
    if (g->micro.serial >= 0)
        sq_text_printf(&line, " | %s", g->dim[g->micro.serial]);
    sq_text_line(to, "%s tile%s", g->stmt[0]->name, sq_text_str(&line));
    sq_text_free(&line);
}

static void print_packs(const sq_group *g, int loop, sq_text *to)
{
    for (int p = 0; p < g->npacks; p++)
        if (g->pack[p].loop == loop)
            sq_text_line(to, "pack %s", g->pack[p].array->name);
}

static void print_nest(const sq_group *g, sq_text *to)
{
    print_packs(g, -1, to);
    for (int l = 0; l < g->nloops; l++) {
        sq_text_open(to, "loop %s by %lld%s%s", g->loop[l].name, (long long)g->loop[l].step,
                     g->loop[l].held ? ", held" : "", sq_loop_kind_name(g->loop[l].runs));
        print_packs(g, l, to);
    }
    print_tile(g, to);
    to->indent -= g->nloops;
}

void sq_tree_print(const sq_group *g, const sq_tree *t, sq_text *to)
{
    for (int m = 0; m < t->nmembers; m++)
        print_member(g, t, m, to);
    for (int i = 0; i < t->nchildren; i++)
        sq_tree_print(g, t->child[i], to);
    if (t->nest)
        print_nest(t->nest->schedule->group[0], to);
    else if (t->kind == SQ_TREE_LEAF)
        for (int i = 0; i < t->nstmts; i++)
            sq_text_line(to, "%s", g->stmt[t->stmt[i]]->name);
    to->indent -= t->nmembers;
}
