/* The code of a schedule as text, for --dump=code: C, but with one subscript per dimension, and the parts
 * that are called before what calls them. */
#include "codegen/emit.h"
#include "codegen/nest/lower.h"
#include "codegen/grid/cuda.h"
#include "codegen/passes/group.h"
#include "codegen/print/c.h"
#include "codegen/isa/strict.h"
#include "ir/schedule/tree.h"

enum { MOST_SHAPES = 64 };

/* What is printed so far. */
typedef struct dump {
    sq_c_printer c;
    int nshapes;
    sq_vector shape[MOST_SHAPES];
    const struct seen *seen; /* parts that are printed */
    sq_text parts;
} dump;

typedef struct seen {
    const sq_code_part *part;
    const struct seen *before;
} seen;

static sq_vector *shape(void *shapes, sq_type type, int lanes)
{
    dump *u = shapes;
    for (int i = 0; i < u->nshapes; i++)
        if (u->shape[i].type == type && u->shape[i].lanes == lanes)
            return &u->shape[i];
    if (u->nshapes == MOST_SHAPES)
        sq_bug("dump", "more than %d vector shapes", MOST_SHAPES);
    u->shape[u->nshapes] = (sq_vector){.type = type, .lanes = lanes};
    return &u->shape[u->nshapes++];
}

static void put_panel(const sq_code *declare, void *user, sq_text *to)
{
    const sq_code_buffer *b = declare->buffer;
    dump *u = user;
    sq_text_line(to, "%s %s[%s];%s", sq_type_ctype(b->type), b->name,
                 sq_code_text(b->extent[0], NULL, u->c.pool->arena),
                 b->is_own ? " /* of each thread */" : "");
}

static void put_part(const sq_code_part *part, void *user)
{
    dump *u = user;
    for (const seen *x = u->seen; x; x = x->before)
        if (x->part == part)
            return;
    seen *own = SQ_NEW(u->c.pool->arena, seen);
    *own = (seen){part, u->seen};
    u->seen = own;
    if (part->name)
        sq_c_part(&u->c, part, &u->parts);
}

static void put_code(dump *u, const sq_code *x, sq_text *to)
{
    sq_text text = {0};
    sq_c_code(&u->c, x, &text);
    sq_text_puts(to, sq_text_str(&u->parts));
    sq_text_puts(to, sq_text_str(&text));
    sq_text_free(&text);
    sq_text_clear(&u->parts);
}

static const char *how(const sq_group *g)
{
    return g->kind == SQ_GROUP_TILED     ? "tiled"
           : g->kind == SQ_GROUP_WRITTEN ? "as written"
           : g->plan->written            ? "as written"
                                         : "by auto";
}

static int put_group(dump *u, const sq_schedule *s, int g, const sq_group_options *o, sq_text *to,
                     sq_diags *d)
{
    sq_code *x = NULL;
    if (sq_group_code(s, g, o, u->c.pool, &x, d) != 0)
        return -1;
    sq_text_line(to, "group %d: %s, %s", g, s->group[g]->stmt[0]->name, how(s->group[g]));
    put_code(u, x, to);
    return 0;
}

int sq_code_dump(const sq_schedule *given, const sq_emit_options *o, int npasses, sq_text *to,
                 sq_diags *d)
{
    const sq_group_options options = {
        .nest = {.target = o->target, .threads = o->openmp, .eager = o->eager}, .npasses = npasses};
    sq_arena *arena = sq_arena_new();
    dump *u = SQ_NEW(arena, dump);
    const sq_schedule *s = sq_cuda_schedule(given, o->target, arena);
    int rc = 0;
    u->c = (sq_c_printer){.pool = sq_code_pool_new(arena),
                          .rounded = sq_strict_rounded(s->kernel, o->target),
                          .by_dimension = true,
                          .panel = put_panel,
                          .part = put_part,
                          .user = u,
                          .target = o->target,
                          .shape = shape,
                          .shapes = u};
    u->c.pool->is_verified = o->is_verified;
    if (o->target->grid)
        rc = sq_target_takes(o->target, s, d);
    for (int g = 0; g < s->ngroups && rc == 0; g += sq_fusion_length(s, g))
        rc = put_group(u, s, g, &options, to, d);
    sq_text_free(&u->parts);
    sq_arena_free(arena);
    return rc;
}
