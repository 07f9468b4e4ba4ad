/* Scop disjoint: which arrays of a region may overlap. Two variables never do; a pointer may point
 * anywhere, unless it is a parameter that says restrict. Pairs of which nothing is known are tested
 * before the tuned code runs, if the region writes one of them. */
#include "frontend/members.h"
#include "frontend/scop_build.h"
#include "ir/kernel/touch.h"
#include <string.h>

/* ---- roles --------------------------------------------------------------------------------- */

static bool is_written(const sq_kernel *k, const sq_array *a)
{
    for (int i = 0; i < k->nstmts; i++)
        if (k->stmt[i]->write->array == a)
            return true;
    return false;
}

static bool is_read(const sq_builder *b, const sq_array *a)
{
    const sq_kernel *k = b->k;
    for (int i = 0; i < k->nstmts; i++) {
        int n = sq_stmt_reads(k->stmt[i], NULL, NULL, 0);
        sq_access **read = SQ_NEW_ARRAY(b->r.arena, sq_access *, n + 1);
        sq_stmt_reads(k->stmt[i], read, NULL, n);
        for (int r = 0; r < n; r++)
            if (read[r]->array == a)
                return true;
    }
    return false;
}

bool sq_scop_is_own(const sq_use *u)
{
    return u->in_function && !u->is_static && !u->has_initial && !u->seen && !u->addressed;
}

void sq_scop_roles(sq_builder *b)
{
    for (int i = 0; i < b->scop->nuses; i++) {
        const sq_use *u = &b->scop->use[i];
        sq_array *a = u->symbol ? u->symbol->array : NULL;
        if (!a)
            continue;
        a->role = a->ndim == 0 && sq_scop_is_own(u) ? SQ_LOCAL
                  : !is_written(b->k, a)            ? SQ_IN
                  : is_read(b, a)                   ? SQ_INOUT
                                                    : SQ_OUT;
    }
}

/* ---- overlaps ------------------------------------------------------------------------------ */

typedef enum kind {
    OWN,     /* a variable of this call */
    LASTING, /* a variable that lives longer */
    PARAM,   /* a pointer the caller gave */
    ONLY,    /* the same with restrict */
    POINTER  /* any other pointer */
} kind;

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* `double *restrict a`, `double a[restrict n]` */
static bool is_restrict(const sq_builder *b, CXType t)
{
    const char *text = sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t));
    const char *bracket = strchr(text, '['), *close = bracket ? strchr(bracket, ']') : NULL;
    bool found = false;
    for (const char *c = bracket; close && c && c < close && !found;) {
        size_t n = strspn(c, WORD);
        found = (n == 8 && strncmp(c, "restrict", n) == 0) ||
                (n == 10 && strncmp(c, "__restrict", n) == 0) ||
                (n == 12 && strncmp(c, "__restrict__", n) == 0);
        c += n ? n : 1;
    }
    return b->r.cl->clang_isRestrictQualifiedType(t) || found;
}

static bool is_array_use(const sq_use *u)
{
    return u->symbol->array && u->symbol->array->ndim > 0;
}

static bool writes(const sq_use *u)
{
    return u->symbol->array && u->symbol->array->role != SQ_IN;
}

/* True of a number in a struct that a pointer leads to. */
static bool is_behind(const sq_use *u)
{
    return u->member && !u->member->is_record && strstr(u->member->text, "->");
}

static kind kind_of(const sq_builder *b, const sq_use *u)
{
    CXType t = b->r.cl->clang_getCursorType(u->decl), c = b->r.cl->clang_getCanonicalType(t);
    bool is_param = u->decl.kind == CXCursor_ParmDecl;
    bool is_array = is_array_use(u);
    if (is_array && is_param && !u->moved && !u->addressed)
        return is_restrict(b, t) ? ONLY : PARAM;
    if (is_array && (is_param || c.kind == CXType_Pointer))
        return POINTER;
    if (!is_array && is_behind(u) && writes(u))
        return POINTER;
    bool own = u->member ? !u->member->has_address : u->in_function && !u->is_static;
    return own ? OWN : LASTING;
}

/* Numbers in structs: those of one struct have places of their own, those behind another pointer may be the same. */
static bool are_numbers_apart(const sq_use *u, const sq_use *v)
{
    size_t n = strcspn(u->member->text, ".-");
    bool one = n == strcspn(v->member->text, ".-") && memcmp(u->member->text, v->member->text, n) == 0;
    return one || (!is_behind(u) && !is_behind(v));
}

/* A restrict parameter is the only way to what it points at, but for pointers made from it. */
static bool are_apart(kind a, kind b)
{
    if (a > b) {
        kind t = a;
        a = b;
        b = t;
    }
    switch (b) {
    case OWN:
    case LASTING:
        return true;
    case PARAM:
        return a == OWN;
    case ONLY:
        return true;
    default:
        return false;
    }
}

static bool uses_apart(const sq_builder *b, const sq_use *u, const sq_use *v)
{
    bool numbers = u->member && v->member && !u->member->is_record && !v->member->is_record &&
                   !is_array_use(u) && !is_array_use(v);
    return numbers ? are_numbers_apart(u, v) : are_apart(kind_of(b, u), kind_of(b, v));
}

/* Numbers overlap only what could be numbers of their type, or of that type but for the sign. */
static bool may_be_one(const sq_symbol *a, const sq_symbol *b)
{
    sq_type t[2];
    const sq_symbol *s[2] = {a, b};
    bool both = true;
    for (int i = 0; i < 2; i++) {
        t[i] = s[i]->array ? s[i]->array->type : s[i]->size ? s[i]->size->type : s[i]->scalar->type;
        both &= s[i]->array && s[i]->array->ndim > 0;
    }
    bool alike =
        sq_type_real(t[0]) == sq_type_real(t[1]) && sq_type_bytes(t[0]) == sq_type_bytes(t[1]);
    return both || alike || sq_type_bytes(t[0]) == 1 || sq_type_bytes(t[1]) == 1;
}

/* A parameter's place in memory is of interest: an array, or a number others can reach. Whether a pointer is NULL is no
 * number in memory; the pointer is, and what writes numbers does not change it. */
static bool takes_part(const sq_use *u)
{
    if (u->is_given)
        return false;
    bool reached = u->member ? u->member->has_address : !u->in_function || u->is_static || u->addressed;
    return is_array_use(u) || reached;
}

/* True of members of two types of the same structs: none is part of another. */
static bool are_members(const sq_use *u, const sq_use *v)
{
    return u->member && v->member && u->member->is_record && v->member->is_record &&
           strcmp(u->member->text, v->member->text) == 0;
}

static bool is_param(const sq_use *u)
{
    return u->symbol && !(u->symbol->array && u->symbol->array->role == SQ_LOCAL);
}

/* Sizes at which the array is touched; *at becomes one of its accesses. __isl_give */
static isl_set *touched_at(const sq_builder *b, const sq_array *a, const sq_access **at)
{
    isl_set *all = isl_set_empty(isl_set_get_space(b->k->context));
    for (int i = 0; i < b->k->nstmts; i++) {
        const sq_stmt *s = b->k->stmt[i];
        int n = sq_stmt_reads(s, NULL, NULL, 0);
        sq_access **access = SQ_NEW_ARRAY(b->r.arena, sq_access *, n + 1);
        bool *in_body = SQ_NEW_ARRAY(b->r.arena, bool, n + 1);
        sq_stmt_reads(s, access, in_body, n);
        access[n] = s->write;
        for (int r = 0; r <= n; r++)
            if (access[r]->array == a) {
                *at = access[r];
                all = isl_set_union(all, isl_map_params(sq_touch_rel(b->k, s, access[r], in_body[r])));
            }
    }
    return isl_set_coalesce(all);
}

static int refuse_views(sq_builder *b, const sq_use *u, const sq_access *one, const sq_access *other)
{
    sq_error(b->r.d, SQ_FAULT_INPUT, one->loc,
             "the subscripts of '%s', which this region writes, have several shapes, and which elements are the same "
             "is not known",
             sq_cursor_spelling(&b->r, u->decl));
    sq_note(b->r.d, other->loc, "another shape");
    sq_help(b->r.d, SQ_NOWHERE,
            "accepted are several shapes of what is only read, or under conditions of sizes of which a call meets one, "
            "as in if (forward) ... else ...; else make two regions of this one");
    return -1;
}

int sq_scop_views_apart(sq_builder *b)
{
    const sq_scop *s = b->scop;
    for (int i = 0; i < s->nuses; i++)
        for (int j = 0; j < i; j++) {
            const sq_use *u = &s->use[i], *v = &s->use[j];
            const sq_access *of_u = NULL, *of_v = NULL;
            if (!u->is_view || v->is_given || !b->r.cl->clang_equalCursors(u->decl, v->decl) ||
                (!writes(u) && !writes(v)))
                continue;
            isl_set *both = touched_at(b, u->symbol->array, &of_u);
            both = isl_set_intersect(both, touched_at(b, v->symbol->array, &of_v));
            both = isl_set_intersect(both, isl_set_copy(b->k->context));
            bool disjoint = isl_set_is_empty(both) == isl_bool_true;
            isl_set_free(both);
            if (!disjoint && of_u && of_v)
                return refuse_views(b, u, of_u, of_v);
        }
    return 0;
}

void sq_scop_disjoint(sq_builder *b)
{
    const sq_scop *s = b->scop;
    sq_region *region = s->region;
    int n = region->narg, pi = 0;
    region->disjoint = sq_arena_array(region->arena, (size_t)(n * n + 1), sizeof *region->disjoint);
    for (int i = 0; i < s->nuses; i++) {
        const sq_use *u = &s->use[i];
        int pj = 0;
        for (int j = 0; is_param(u) && j < i; j++) {
            const sq_use *v = &s->use[j];
            if (!is_param(v))
                continue;
            bool same = b->r.cl->clang_equalCursors(u->decl, v->decl) /* sq_scop_views_apart */ || are_members(u, v);
            if (!same && takes_part(u) && takes_part(v) && (writes(u) || writes(v)) &&
                may_be_one(u->symbol, v->symbol) && !uses_apart(b, u, v)) {
                region->disjoint[region->ndisjoint][0] = pj;
                region->disjoint[region->ndisjoint++][1] = pi;
            }
            pj++;
        }
        pi += is_param(u);
    }
}
