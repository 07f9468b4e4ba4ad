/* The loop tree of a schedule as text, for --dump=lower. */
#include "codegen/emit.h"
#include "codegen/nest/lower.h"
#include "codegen/print/names.h"
#include "ir/schedule/tree.h"

static void dump_fusion(const sq_fusion *r, sq_arena *arena, sq_text *to);

static void dump_node(const sq_node *x, sq_arena *arena, sq_text *to)
{
    for (; x; x = x->next) {
        switch (x->kind) {
        case SQ_NODE_LOOP:
            sq_text_open(to, "loop %s from %s to %s by %lld%s%s", x->name,
                         sq_code_text(x->lo, NULL, arena), sq_code_text(x->hi, NULL, arena), (long long)x->step,
                         x->once ? ", once" : "", sq_loop_kind_name(x->runs));
            dump_node(x->body, arena, to);
            to->indent--;
            break;
        case SQ_NODE_IF:
            sq_text_open(to, "if %s", sq_code_text(x->cond, NULL, arena));
            dump_node(x->body, arena, to);
            to->indent--;
            break;
        case SQ_NODE_COPY:
            sq_text_line(to, "pack %s", x->buffer->array->name);
            break;
        case SQ_NODE_HELD:
            sq_text_open(to, "hold");
            dump_node(x->body, arena, to);
            to->indent--;
            break;
        case SQ_NODE_TILE:
            sq_text_line(to, "tile");
            break;
        case SQ_NODE_SCAN:
            sq_text_line(to, "points one by one");
            break;
        case SQ_NODE_FUSION:
            dump_fusion(x->fusion, arena, to);
            break;
        }
    }
}

static void dump_nest(const sq_nest *n, sq_arena *arena, sq_text *to)
{
    const char *note = n->group->note;
    sq_text_open(to, "group %d: %s%s%s%s%s", n->index, n->group->stmt[0]->name, note ? ", " : "",
                 note ? note : "", n->cond ? ", if " : "",
                 n->cond ? sq_code_text(n->cond, NULL, arena) : "");
    dump_node(n->root, arena, to);
    to->indent--;
}

static void dump_fusion(const sq_fusion *r, sq_arena *arena, sq_text *to)
{
    for (int i = 0; i < r->nnests; i++)
        dump_nest(r->nest[i], arena, to);
}

int sq_nest_dump(const sq_schedule *given, sq_text *to, sq_diags *d)
{
    sq_arena *arena = sq_arena_new();
    sq_code_pool *code = sq_code_pool_new(arena);
    const sq_schedule *s = sq_names_of_loops(given, arena);
    int rc = 0;
    for (int g = 0; g < s->ngroups && rc == 0; g += sq_fusion_length(s, g)) {
        if (s->group[g]->kind == SQ_GROUP_WRITTEN) {
            sq_text_line(to, "group %d: %s, as written", g, s->group[g]->stmt[0]->name);
            continue;
        }
        if (s->group[g]->kind == SQ_GROUP_TREE) {
            sq_text_open(to, "group %d: %s", g, s->group[g]->plan->written ? "as written" : "by auto");
            sq_tree_print(s->group[g], s->group[g]->plan->tree, to);
            to->indent--;
            continue;
        }
        const sq_fusion *r = sq_lower_fusion(s, g, NULL, code, d);
        rc = r ? 0 : -1;
        if (r && r->frame)
            dump_node(r->frame->root, arena, to);
        else if (r)
            dump_fusion(r, arena, to);
    }
    sq_arena_free(arena);
    return rc;
}
