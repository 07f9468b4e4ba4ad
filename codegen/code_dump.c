/* The code of a schedule as text, for --dump=code: C, but with one subscript per dimension. Of nests
 * with register tiles only the points one by one are shown: the loops around a tile are no code. */
#include "codegen/emit.h"
#include "codegen/lower.h"
#include "codegen/lower/group.h"
#include "codegen/names.h"
#include "codegen/print/c.h"

static void put_lanes(const sq_code *loop, void *user, sq_text *to)
{
    sq_code plain = *loop;
    plain.next = NULL;
    plain.runs = SQ_CODE_SERIAL;
    sq_text_line(to, loop->runs == SQ_CODE_SUMS ? "/* lanes add up apart */" : "/* lanes */");
    sq_c_code(user, &plain, to);
}

static void put_code(sq_code_pool *code, const sq_code *x, sq_text *to)
{
    sq_c_printer p = {.pool = code, .by_dimension = true, .lanes = put_lanes, .user = &p};
    sq_c_code(&p, x, to);
}

static void put_fusion(const sq_fusion *r, sq_text *to);

/* The points one by one of a nest. */
static void put_nodes(const sq_nest *n, const sq_node *x, sq_text *to)
{
    for (; x; x = x->next) {
        if (x->kind == SQ_NODE_SCAN) {
            sq_text_line(to, "group %d: %s, points one by one", n->index, n->group->stmt[0]->name);
            put_code(n->code, x->code, to);
        }
        if (x->kind == SQ_NODE_FUSION)
            put_fusion(x->fusion, to);
        put_nodes(n, x->body, to);
        put_nodes(n, x->other, to);
    }
}

static void put_fusion(const sq_fusion *r, sq_text *to)
{
    for (int i = 0; i < r->nnests; i++)
        put_nodes(r->nest[i], r->nest[i]->root, to);
}

static int put_group(const sq_schedule *s, int g, const sq_emit_options *o, sq_code_pool *code,
                     sq_text *to, sq_diags *d)
{
    const sq_group *group = s->group[g];
    sq_code *loops = NULL;
    if (group->kind == SQ_GROUP_TILED) {
        const sq_fusion *r = sq_lower_fusion(s, g, o->target, code, d);
        if (r && r->frame)
            put_nodes(r->frame, r->frame->root, to);
        else if (r)
            put_fusion(r, to);
        return r ? 0 : -1;
    }
    if (sq_lower_group(s->kernel, group, o->target, o->openmp, code, &loops, d) != SQ_LOWER_DONE)
        return -1;
    sq_text_line(to, "group %d: %s, %s", g, group->stmt[0]->name,
                 group->kind == SQ_GROUP_WRITTEN ? "as written" : "by auto");
    put_code(code, loops, to);
    return 0;
}

int sq_code_dump(const sq_schedule *given, const sq_emit_options *o, sq_text *to, sq_diags *d)
{
    sq_arena *arena = sq_arena_new();
    sq_code_pool *code = sq_code_pool_new(arena);
    const sq_schedule *s = sq_names_of_loops(given, arena);
    int rc = 0;
    code->is_verified = o->is_verified;
    for (int g = 0; g < s->ngroups && rc == 0; g += sq_fusion_length(s, g))
        rc = put_group(s, g, o, code, to, d);
    sq_arena_free(arena);
    return rc;
}
