/* Parse: the unit. Runs libclang over the description with the prelude served from memory, turns
 * its messages into ours (report.c), finds the kernels and has each built; then settles what only
 * the whole kernel tells: roles of arrays, length of textual time, whether its sizes allow anything
 * at all.
 */
#include "frontend/calls.h"
#include "frontend/members.h"
#include "frontend/respelling.h"
#include "frontend/expansion.h"
#include "frontend/foreign.h"
#include "frontend/report.h"
#include "frontend/scop_build.h"
#include "ir/dependence/deps.h"
#include "ir/kernel/kept.h"
#include "ir/kernel/quota.h"
#include "ir/kernel/touch.h"
#include "ir/kernel/narrow.h"
#include "support/limits.h"
#include "support/words.h"
#include "support/nearest.h"
#include <isl/map.h>
#include <isl/space.h>
#include <string.h>

/* The name of a function. */
static sq_loc name_loc(sq_reader *r, CXCursor function)
{
    sq_loc at = sq_place_loc(r, r->cl->clang_getCursorLocation(function));
    at.len = (int)strlen(sq_cursor_spelling(r, function));
    return at;
}

/* ---- one kernel ---------------------------------------------------------------------------- */

/* What of isl did not become part of the kernel; an access that did has a named domain. */
static void free_builder(sq_builder *b)
{
    for (sq_owned *o = b->owned; o; o = o->next) {
        if (o->access && isl_multi_aff_has_tuple_id(o->access->map, isl_dim_in) != isl_bool_true) {
            o->access->map = isl_multi_aff_free(o->access->map);
            o->access->where = isl_set_free(o->access->where);
        }
        if (o->index) {
            isl_space *domain = isl_aff_get_domain_space(o->index->index);
            if (isl_space_has_tuple_id(domain, isl_dim_set) != isl_bool_true)
                o->index->index = isl_aff_free(o->index->index);
            isl_space_free(domain);
        }
        isl_aff_free(o->aff);
        isl_set_free(o->set);
    }
    for (sq_symbol *s = b->symbols; s; s = s->next)
        for (int d = 0; s->extent && d < s->array->ndim; d++)
            isl_aff_free(s->extent[d]);
    for (sq_symbol *s = b->symbols; s; s = s->next)
        isl_pw_aff_free(s->most);
    isl_set_free(b->guard);
    isl_set_free(b->where);
    sq_floors_forget(b);
    isl_space_free(b->universe);
}

static void reads_first(sq_kernel *k, const sq_stmt *s, bool *written)
{
    int n = sq_stmt_reads(s, NULL, NULL, 0);
    sq_access **read = SQ_NEW_ARRAY(k->arena, sq_access *, n);
    sq_stmt_reads(s, read, NULL, n);
    for (int i = 0; i < n; i++)
        for (int a = 0; a < k->narrays; a++)
            if (k->array[a] == read[i]->array && !written[a] && k->array[a]->role == SQ_OUT)
                k->array[a]->role = SQ_INOUT;
    for (int a = 0; a < k->narrays; a++)
        written[a] |= k->array[a] == s->write->array;
}

/* const: in; read before it is written, in textual order: in-out; else out. */
static void settle_roles(sq_builder *b)
{
    sq_kernel *k = b->k;
    bool *written = SQ_NEW_ARRAY(k->arena, bool, k->narrays);
    for (sq_symbol *s = b->symbols; s; s = s->next)
        if (s->kind == SQ_SYM_ARRAY && s->array->role != SQ_LOCAL)
            s->array->role = s->is_const ? SQ_IN : s->is_inout ? SQ_INOUT : SQ_OUT;
    for (int i = 0; i < k->nstmts; i++)
        reads_first(k, k->stmt[i], written);
}

/* All textual times get the same length, zeros at the end. */
static void pad_textual(sq_builder *b)
{
    sq_kernel *k = b->k;
    k->textual_dims = b->max_depth ? 2 * b->max_depth + 1 : 0;
    for (int i = 0; i < k->nstmts; i++) {
        sq_stmt *s = k->stmt[i];
        if (!s->textual)
            continue;
        int n = (int)isl_map_dim(s->textual, isl_dim_out);
        s->textual = isl_map_add_dims(s->textual, isl_dim_out, (unsigned)(k->textual_dims - n));
        for (int d = n; d < k->textual_dims; d++)
            s->textual = isl_map_fix_si(s->textual, isl_dim_out, (unsigned)d, 0);
    }
}

static int check_result(sq_builder *b)
{
    sq_kernel *k = b->k;
    if (k->nstmts == 0)
        return sq_error(b->r.d, SQ_FAULT_INPUT, k->loc,
                        "kernel '%s' computes nothing; write at "
                        "least one assignment to an array",
                        k->name);
    bool fine = k->context != NULL;
    for (int i = 0; i < k->nstmts; i++)
        fine &= k->stmt[i]->domain && k->stmt[i]->write->map;
    if (!fine)
        sq_bug("parse", "isl: %s", isl_ctx_last_error_msg(k->ctx));
    if (isl_set_is_empty(k->context) != isl_bool_true)
        return 0;
    return sq_error(b->r.d, SQ_FAULT_INPUT, k->loc,
                    "no sizes satisfy what kernel '%s' demands of "
                    "them%s: its assumes, and that no array size is negative",
                    k->name, b->o->nfix ? " once those of --fix are set" : "");
}

static CXCursor body_of(const sq_reader *r, CXCursor function)
{
    int n;
    CXCursor *child = sq_cursor_children(r, function, &n);
    return child[n - 1];
}

static int settle(sq_builder *b)
{
    int rc = 0;
    if (b->scop)
        rc = sq_scop_settle(b);
    else
        settle_roles(b);
    sq_elements_settle(b);
    rc |= sq_indirect_settle(b);
    pad_textual(b);
    if (!rc) {
        sq_webs_settle(b);
        sq_accumulators_settle(b->k);
    }
    b->k->context = isl_set_coalesce(b->k->context);
    b->k->shapes = isl_set_coalesce(b->k->shapes);
    return rc;
}

/* A kernel's function, and the lines whose pragmas are its own: from the end of the kernel before
 * it to its own end; none for a kernel of an included file. */
typedef struct found {
    CXCursor function;
    int after, last;
    sq_scop *scop; /* of ordinary C; or NULL */
    bool is_hurt;  /* clang has errors in some of its assignments */
    bool is_packed; /* the form that takes packed arrays */
} found;

static int read_kernel(sq_builder *b)
{
    if (sq_declared_function(b))
        return -1;
    int rc = sq_symbols_declare(b);
    b->is_known = rc == 0;
    rc = !b->universe ? -1 : sq_block_read(b, body_of(&b->r, b->function)) | rc;
    if (rc == 0 && !b->is_hurt)
        sq_declared_unused(b);
    return rc;
}

static int read_region(sq_builder *b)
{
    if (sq_scop_declare(b) == 0)
        return sq_scop_read(b);
    sq_scop_look(b);
    return -1;
}

static int check_extent(sq_builder *b)
{
    int rc = b->scop ? 0 : sq_extent_check(b, b->function);
    for (int i = 0; b->scop && i < b->scop->nstmts && !rc; i++)
        rc = sq_extent_check(b, b->scop->stmt[i]);
    return rc;
}

static int read_all(sq_builder *b)
{
    if (check_extent(b) != 0)
        return -1;
    int rc = b->scop ? read_region(b) : read_kernel(b);
    return rc || settle(b) ? -1 : 0;
}

/* Of a kernel with errors, the statements that were read: what they say of themselves does not depend on
 * the others. */
static void check_rest(sq_builder *b)
{
    if (!b->scop && b->is_known)
        sq_kernel_check_read(b->k, b->r.d);
}

/* Some conditions have too many cases to list: what is read until the limit is void. */
static int read_bounded(sq_builder *b)
{
    enum { MOST_OPERATIONS = 1000000 };
    const char *text = NULL;
    size_t mark = sq_diags_mark(b->r.d);
    sq_quota q = sq_quota_begin(b->k->ctx, MOST_OPERATIONS);
    int rc = read_all(b);
    rc = b->is_hurt ? -1 : rc;
    bool given_up = isl_ctx_last_error(b->k->ctx) == isl_error_quota;
    sq_quota_end(q, &text);
    if (!given_up && rc)
        check_rest(b);
    if (!given_up)
        return rc ? -1 : check_result(b);
    sq_diags_rewind(b->r.d, mark);
    sq_error(b->r.d, SQ_FAULT_INPUT, b->reading.line ? b->reading : b->k->loc,
             "the loops, conditions and subscripts of '%s' up to here fall into too many cases",
             b->k->name);
    sq_help(b->r.d, SQ_NOWHERE,
            "fewer remainders, quotients, minima and maxima in one statement, or several kernels");
    return -1;
}

/* NULL after adding errors. */
static sq_kernel *build(sq_reader *r, isl_ctx *ctx, const found *f, sq_pragmas *pragmas,
                        const sq_parse_options *o)
{
    CXCursor function = f->function;
    sq_arena *arena = sq_arena_new();
    sq_builder *b = SQ_NEW(arena, sq_builder);
    b->r = *r;
    b->r.arena = arena;
    b->o = o;
    b->function = function;
    b->k = SQ_NEW(arena, sq_kernel);
    b->k->arena = arena;
    b->k->ctx = ctx;
    b->k->kept = sq_kept_new();
    b->scop = f->scop;
    b->is_hurt = f->is_hurt;
    b->k->name =
        b->scop ? sq_arena_strdup(arena, b->scop->name) : sq_cursor_spelling(&b->r, function);
    b->k->loc = b->scop ? b->scop->loc : name_loc(&b->r, function);
    b->is_packed = f->is_packed;
    if (b->is_packed) {
        b->k->plain = b->k->name;
        b->k->name = sq_prepacked_name(arena, b->k->name);
    }
    int named = sq_pragmas_fp(&b->r, pragmas, f->after, f->last, &b->k->fp);
    int rc =
        named < 0 ? -1 : sq_foreign_check(&b->r, pragmas, function, f->scop, b->k->name, named);
    rc = named < 0 ? -1 : read_bounded(b) | rc;
    free_builder(b);
    return rc == 0 ? b->k : sq_kernel_free(b->k);
}

/* ---- the unit ------------------------------------------------------------------------------ */

static bool is_kernel(const sq_reader *r, CXCursor c)
{
    int n;
    if (c.kind != CXCursor_FunctionDecl || !r->cl->clang_isCursorDefinition(c))
        return false;
    CXCursor *child = sq_cursor_children(r, c, &n);
    for (int i = 0; i < n; i++)
        if (child[i].kind == CXCursor_AnnotateAttr &&
            strcmp(sq_cursor_spelling(r, child[i]), "squall.kernel") == 0)
            return true;
    return false;
}

static int first_line(sq_reader *r, CXCursor function)
{
    CXSourceRange all = r->cl->clang_getCursorExtent(function);
    return sq_place_loc(r, r->cl->clang_getRangeStart(all)).line;
}

static int last_line(sq_reader *r, CXCursor function)
{
    sq_loc end = sq_place_loc(r, r->cl->clang_getRangeEnd(r->cl->clang_getCursorExtent(function)));
    return strcmp(end.file, r->path) == 0 ? end.line : 0;
}

/* The first function of the file, which may have been meant. */
static void note_function(sq_reader *r)
{
    int n;
    CXCursor *top = sq_cursor_children(r, r->cl->clang_getTranslationUnitCursor(r->unit), &n);
    for (int i = 0; i < n; i++) {
        if (top[i].kind != CXCursor_FunctionDecl || !r->cl->clang_isCursorDefinition(top[i]))
            continue;
        sq_loc at = name_loc(r, top[i]);
        if (strcmp(at.file, r->path) != 0)
            continue;
        const char *name = sq_cursor_spelling(r, top[i]);
        sq_help(r->d, at, "to make '%s' a kernel, write kernel %s(…)", name, name);
        return;
    }
}

static int refuse_none(sq_reader *r)
{
    sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, 1, 1, 0},
             "there is no kernel in this file; a kernel is a "
             "function whose result type is the word kernel");
    note_function(r);
    size_t length = strlen(r->path);
    if (length > 2 && strcmp(r->path + length - 2, ".c") == 0)
        sq_help(r->d, SQ_NOWHERE,
                "or to tune loops of ordinary C, write '#pragma scop' before and '#pragma "
                "endscop' behind them");
    return -1;
}

/* The kernels asked for, in order; *n of them. -1 after an error. */
static int find_kernels(sq_reader *r, const sq_parse_options *o, found **to, int *n)
{
    int all, names = 0, after = 0;
    CXCursor *top = sq_cursor_children(r, r->cl->clang_getTranslationUnitCursor(r->unit), &all);
    const char **name = SQ_NEW_ARRAY(r->arena, const char *, 2 * all);
    *to = SQ_NEW_ARRAY(r->arena, found, 2 * all);
    *n = 0;
    for (int i = 0; i < all; i++) {
        if (!is_kernel(r, top[i]))
            continue;
        int last = last_line(r, top[i]);
        for (int form = 0; form < (sq_prepacked_any(r, top[i]) ? 2 : 1); form++) {
            const char *plain = sq_cursor_spelling(r, top[i]);
            name[names++] = form ? sq_prepacked_name(r->arena, plain) : plain;
            if (o->kernel ? strcmp(o->kernel, name[names - 1]) == 0 : !form || !o->is_plain)
                (*to)[(*n)++] = (found){top[i], after, last, NULL, false, form == 1};
        }
        after = last ? last : after;
    }
    if (*n || r->broken)
        return 0;
    return names ? sq_report_unknown(r, o, "kernel", name, names) : refuse_none(r);
}

/* Of kernels in a file with errors of clang's, those that can be read all the same; none where one stands
 * outside of them all, which may be what they are written with. */
static void keep_sound(sq_reader *r, const char *text, found *f, int *n)
{
    int kept = 0, inside = 0;
    for (int i = 0; i < *n; i++) {
        int first = first_line(r, f[i].function);
        int errors = sq_report_count(r, first, f[i].last);
        inside += errors;
        f[i].is_hurt = errors > 0;
        if (!errors || sq_report_mild(r, text, first, f[i].last))
            f[kept++] = f[i];
    }
    *n = inside == sq_report_count(r, 0, 0) ? kept : 0;
}

/* The same of regions. */
static int find_regions(sq_reader *r, const sq_parse_options *o, const char *text, size_t length,
                        sq_unit *u, found **to, int *n)
{
    sq_scop *s;
    *n = sq_scop_find(r, o, text, length, u, &s);
    if (*n < 0)
        return -1;
    *to = SQ_NEW_ARRAY(r->arena, found, *n);
    u->region = SQ_NEW_ARRAY(u->arena, sq_region *, *n);
    for (int i = 0; i < *n; i++)
        (*to)[i] = (found){s[i].function, s[i].after, s[i].region->text.last_line, &s[i], false, false};
    return 0;
}

static bool has_name(const char *const *name, size_t n, const char *x)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name[i], x) == 0)
            return true;
    return false;
}

/* Every name of --fix must be an integer parameter of some kernel. */
static int check_fix(sq_reader *r, const sq_unit *u, const sq_parse_options *o)
{
    const char *name[256];
    size_t n = 0;
    int rc = 0;
    sq_text all = {0};
    for (int i = 0; i < u->nkernels; i++)
        for (int s = 0; s < u->kernel[i]->nsizes && n < 256; s++)
            if (!has_name(name, n, u->kernel[i]->size[s]->name)) {
                name[n++] = u->kernel[i]->size[s]->name;
                sq_text_printf(&all, n > 1 ? ", %s" : "%s", name[n - 1]);
            }
    for (int i = 0; i < o->nfix; i++) {
        if (has_name(name, n, o->fix[i].name))
            continue;
        rc = sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, 0, 0, 0}, "--fix: no kernel has a size '%s'",
                      o->fix[i].name);
        const char *nearest = sq_nearest(o->fix[i].name, name, n);
        sq_suggest(r->d, o->fix[i].name, nearest);
        if (!nearest && n)
            sq_help(r->d, SQ_NOWHERE, "there are: %s", sq_text_str(&all));
    }
    sq_text_free(&all);
    return rc;
}

static int build_all(sq_reader *r, sq_unit *u, isl_ctx *ctx, const sq_parse_options *o,
                     const char *text, size_t length)
{
    found *f;
    sq_pragmas pragmas = {0};
    int n, rc = r->broken ? -1 : 0;
    bool regions = sq_scop_present(text, length);
    int unknown = sq_pragmas_read(r, text, length, &pragmas);
    if (regions ? find_regions(r, o, text, length, u, &f, &n) : find_kernels(r, o, &f, &n))
        return -1;
    if (r->broken)
        keep_sound(r, text, f, &n);
    if (n > SQ_MOST_KERNELS)
        return sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){.file = r->path},
                        "%d kernels in one file; accepted are up to %d", n, SQ_MOST_KERNELS);
    u->kernel = SQ_NEW_ARRAY(u->arena, sq_kernel *, n);
    for (int i = 0; i < n; i++) {
        bool again = f[i].is_packed && i > 0 && f[i - 1].last == f[i].last; /* what there is to say is said */
        size_t mark = sq_diags_mark(r->d);
        sq_kernel *k = again && rc ? NULL : build(r, ctx, &f[i], &pragmas, o);
        rc = k ? rc : -1;
        if (k && again)
            sq_diags_rewind(r->d, mark);
        if (k)
            sq_kernel_narrow(k);
        if (k && regions)
            u->region[u->nkernels] = f[i].scop->region;
        if (k)
            u->kernel[u->nkernels++] = k;
    }
    rc |= regions ? 0 : sq_names_check(u, r->d);
    for (int i = 0; i < u->nkernels && rc; i++) /* no stage will: their errors belong here */
        sq_kernel_check(u->kernel[i], r->d);
    if (rc == 0)
        rc = check_fix(r, u, o);
    for (int i = 0; i < n && rc == 0; i++)
        rc = sq_pragmas_apply(r, &pragmas, u->kernel[i], f[i].after, f[i].last) |
             sq_signature_order(r, &pragmas, u->kernel[i], f[i].after, f[i].last, regions);
    if (rc == 0 && n > 0 && !o->kernel)
        sq_pragmas_behind(r, &pragmas, f[n - 1].last);
    return rc | unknown;
}

typedef struct inclusions {
    const sq_reader *r;
    sq_unit *u;
} inclusions;

static void add_dep(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData user)
{
    inclusions *in = user;
    (void)stack;
    (void)depth;
    char *name = sq_clang_string(in->r, in->r->cl->clang_getFileName(file));
    if (strncmp(name, SQ_PRELUDE_DIR "/", sizeof SQ_PRELUDE_DIR) == 0)
        return;
    for (int i = 0; i < in->u->ndeps; i++)
        if (strcmp(in->u->dep[i], name) == 0)
            return;
    char **more = SQ_NEW_ARRAY(in->u->arena, char *, in->u->ndeps + 1);
    if (in->u->ndeps)
        memcpy(more, in->u->dep, (size_t)in->u->ndeps * sizeof *more);
    more[in->u->ndeps++] = name;
    in->u->dep = more;
}

static void find_deps(const sq_reader *r, sq_unit *u)
{
    inclusions in = {r, u};
    u->dep = SQ_NEW_ARRAY(u->arena, char *, 1);
    u->dep[u->ndeps++] = sq_arena_strdup(u->arena, r->path);
    r->cl->clang_getInclusions(r->unit, add_dep, &in);
}

/* More than levels are accepted, so that it is our limit that is met and said. */
#define BRACKETS "-fbracket-depth=4000"

/* Descriptions get the prelude, whose names a misspelt one may be near; ordinary C is read as gcc
 * reads it, whose user has seen the warnings elsewhere. Macros are kept for regions. */
static const char **arguments(const sq_reader *r, bool regions, const sq_parse_options *o, int *n)
{
    static const char *const own[] = {"-x",
                                      "c",
                                      "-std=c11",
                                      "-isystem",
                                      SQ_PRELUDE_DIR,
                                      "-Wno-incompatible-library-redeclaration", /* our error */
                                      "-Wno-gnu-folding-constant", /* const int n; f32 t[n] = {1} */
                                      BRACKETS};
    static const char *const plain[] = {"-x",
                                        "c",
                                        "-std=gnu17",
                                        "-w",
                                        "-Wno-implicit-function-declaration",
                                        "-Wno-implicit-int",
                                        "-Wno-int-conversion",
                                        "-Wno-incompatible-function-pointer-types",
                                        BRACKETS};
    *n = regions ? sizeof plain / sizeof *plain : sizeof own / sizeof *own;
    const char **args = SQ_NEW_ARRAY(r->arena, const char *, *n + o->nargs);
    memcpy(args, regions ? plain : own, (size_t)*n * sizeof *args);
    if (o->nargs)
        memcpy(args + *n, o->args, (size_t)o->nargs * sizeof *args);
    *n += o->nargs;
    return args;
}

static int parse_unit(sq_reader *r, CXIndex index, const char *text, size_t n,
                      const sq_parse_options *o)
{
    bool regions = sq_scop_present(text, n);
    int nargs;
    if (regions && sq_scop_refuses_language(r))
        return -1;
    if (sq_expansion_check(r, text, n))
        return -1;
    const char **args = arguments(r, regions, o, &nargs);
    struct CXUnsavedFile unsaved[] = {
        {r->path, text, n},
        {SQ_PRELUDE_DIR "/squall.h", sq_prelude, strlen(sq_prelude)},
    };
    enum CXErrorCode rc =
        r->cl->clang_parseTranslationUnit2(index, r->path, args, nargs, unsaved, 2,
                                           CXTranslationUnit_DetailedPreprocessingRecord, &r->unit);
    if (rc == CXError_Success && regions)
        sq_calls_read(r, index, args, nargs, text, n);
    if (rc == CXError_Success && regions)
        sq_respelling_read(r, index, args, nargs, text, n);
    if (rc == CXError_Success && regions)
        sq_members_read(r, index, args, nargs, text, n);
    if (rc == CXError_Success)
        return 0;
    return sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, 0, 0, 0},
                    "libclang could not read "
                    "this file (its error %d); are the options for it right?",
                    (int)rc);
}

sq_unit *sq_parse(isl_ctx *ctx, const char *path, const char *text, size_t n,
                  const sq_parse_options *o, sq_diags *d)
{
    static const sq_parse_options none;
    const sq_clang *cl = sq_clang_load(d);
    if (!cl)
        return NULL;
    sq_arena *arena = sq_arena_new();
    sq_unit *u = SQ_NEW(arena, sq_unit);
    u->arena = arena;
    path = strcmp(path, "-") == 0 ? "<stdin>" : sq_arena_strdup(arena, path);
    text = sq_arena_strndup(arena, text, n); /* ends in a zero byte, whatever the caller has */
    sq_reader r = {.cl = cl, .arena = arena, .d = d, .path = path, .known = {path}, .nknown = 1};
    sq_diags_source(d, path, text, n);
    CXIndex index = cl->clang_createIndex(0, 0);
    o = o ? o : &none;
    size_t mark = sq_diags_mark(d);
    int rc = parse_unit(&r, index, text, n, o);
    r.broken = rc == 0 && sq_report(&r, text, n) != 0;
    if (r.broken && sq_scop_present(text, n))
        rc = -1;
    if (rc == 0) {
        find_deps(&r, u);
        rc = build_all(&r, u, ctx, o, text, n);
    }
    if (rc != 0)
        sq_diags_sort(d, mark);
    for (int i = 0; rc == 0 && i < u->nkernels; i++) {
        size_t said = sq_diags_mark(d);
        sq_kernel_drop_dead(u->kernel[i], d);
        if (sq_prepacked_again(u, i))
            sq_diags_rewind(d, said);
        sq_kernel_drop_edges(u->kernel[i]);
    }
    if (r.unit)
        cl->clang_disposeTranslationUnit(r.unit);
    cl->clang_disposeIndex(index);
    return rc == 0 ? u : sq_unit_free(u);
}

sq_unit *sq_unit_free(sq_unit *u)
{
    if (!u)
        return NULL;
    for (int i = 0; i < u->nkernels; i++)
        sq_kernel_free(u->kernel[i]);
    sq_arena_free(u->arena);
    return NULL;
}
