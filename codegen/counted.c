/* Counted: see counted.h. */
#include "codegen/counted.h"
#include "codegen/code/unrolled.h"
#include "codegen/isa/vector.h"
#include "codegen/lower/tree.h"
#include "codegen/print/names.h"
#include "codegen/passes/group.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct counting {
    const sq_target *target;
    sq_count_how how;
    sq_arena *arena;
    sq_code_pool *pool;
    int n;
    sq_counted_loop *list;
    int parts; /* of the group in hand that are called, counted or not */
} counting;

static void add(counting *c, sq_counted_loop x)
{
    if (c->n < MOST)
        c->list[c->n++] = x;
}

static bool is_listed(const counting *c, const char *stmts)
{
    for (int i = 0; i < c->n; i++)
        if (strcmp(c->list[i].stmts, stmts) == 0)
            return true;
    return false;
}

/* ---- parts ---- */

static const char *names_of(const counting *c, const sq_code_part *part)
{
    const char *all = part->stmt[0]->name;
    for (int i = 1; i < part->nstmts; i++)
        all = sq_arena_printf(c->arena, "%s, %s", all, part->stmt[i]->name);
    return all;
}

/* Returns how often a loop inside of x runs for each iteration of the loop that counts points down; 0: it is not
 * there. */
static int times_in(const sq_code *x, const sq_code *loop)
{
    int n = 0;
    for (; x && !n; x = x->next) {
        int64_t own = x->kind == SQ_CODE_LOOP && x->lo ? sq_code_iterations(x) : 1;
        n = x == loop ? 1 : times_in(x->body, loop) + times_in(x->other, loop);
        n *= own > 0 ? (int)own : 1;
    }
    return n;
}

/* A part that is called, or stands in place with this body. Of several of the same statements the first
 * whole one: another is of where there is nothing to reduce. */
static void add_part(counting *c, const sq_code_part *part, const sq_code *body)
{
    const sq_code *loop = sq_code_innermost(body);
    sq_counted_loop x = {.stmts = names_of(c, part), .part = part->name, .lanes = part->lanes};
    c->parts++;
    if (!part->is_whole || is_listed(c, x.stmts))
        return;
    x.along = loop ? part->along : NULL;
    x.times = loop ? times_in(body, loop) : 1;
    x.count = sq_code_counted(c->pool, loop ? loop->body : body, &c->how);
    if (loop && !loop->lo) /* it counts the points down that are left */
        x.count = sq_code_count_of_step(x.count, (double)-loop->step / part->along_lanes);
    add(c, x);
}

/* Returns what a call runs; of one that runs both, a whole tile. */
static sq_code *run_by(const counting *c, const sq_code *call)
{
    const sq_code_part *part = call->part;
    const sq_code_expr **arg = SQ_NEW_ARRAY(c->arena, const sq_code_expr *, part->nparams + 1);
    sq_code whole = *call;
    for (int i = 0; i < part->nparams; i++)
        arg[i] = strcmp(part->param[i].name, "@whole") == 0 ? sq_code_number(c->pool, 1)
                                                            : call->arg[i];
    whole.arg = arg;
    return sq_code_unrolled_call(c->pool, &whole);
}

static void add_parts(counting *c, const sq_code *x)
{
    for (; x; x = x->next) {
        if (x->part)
            add_part(c, x->part, x->kind == SQ_CODE_CALL ? run_by(c, x) : x->body);
        add_parts(c, x->body);
        add_parts(c, x->other);
    }
}

/* ---- loops of the kernel's own function ---- */

/* The statement that a list of statements finishes; NULL where it is none. */
static const sq_stmt *finished(const sq_code *x)
{
    const sq_stmt *s = NULL;
    for (; x && !s; x = x->next) {
        s = x->stmt ? x->stmt : finished(x->body);
        s = s ? s : finished(x->other);
    }
    return s;
}

/* Elements beside each other in vectors. */
static int lanes_of(const sq_code *loop)
{
    const sq_code *x = loop->body;
    return x && x->kind == SQ_CODE_STORE ? x->value->lanes : 1;
}

/* The loop as the description has it. A downward loop counts up in the code, in a variable of its own: "@p1", of the
 * second loop around the statement, and one that is skewed by it is "i_@p1". */
static const char *described(const counting *c, const sq_stmt *s, const char *name)
{
    const char *own = strstr(name, "@p"); /* see codegen/print/names.h */
    char *end;
    long depth = own ? strtol(own + 2, &end, 10) : -1;
    if (depth < 0 || depth >= s->ndim || *end)
        return name + (*name == '@');
    return sq_arena_printf(c->arena, "%.*s%s", (int)(own - name), name, s->dim[depth]);
}

static void add_loop(counting *c, const sq_code *loop, const sq_stmt *s)
{
    int lanes = lanes_of(loop);
    sq_counted_loop x = {.stmts = s->name,
                         .along = described(c, s, loop->name),
                         .lanes = lanes,
                         .times = 1};
    x.count = sq_code_counted(c->pool, loop->body, &c->how);
    if (lanes > 1) /* several vectors one after the other */
        x.count = sq_code_count_of_step(x.count, (double)loop->step / lanes);
    add(c, x);
}

/* The innermost loops; of several for one statement the first. `around`: the statement of the loops
 * around. */
static bool add_loops(counting *c, const sq_code *x, const sq_stmt *around)
{
    bool any = false;
    for (; x; x = x->next) {
        bool is_loop = x->kind == SQ_CODE_LOOP && x->runs != SQ_CODE_UNROLLED && x->name;
        const sq_stmt *s = finished(x->body) ? finished(x->body) : around;
        bool inside = add_loops(c, x->body, s);
        inside = add_loops(c, x->other, s) || inside;
        any = any || is_loop || inside;
        if (!is_loop || inside || !s || is_listed(c, s->name))
            continue;
        add_loop(c, x, s);
    }
    return any;
}

static sq_count_lanes strided(const sq_target *t, int bytes, int lanes, int step, bool channels)
{
    sq_strided_count n = sq_strided_counted(bytes, lanes, step, channels, t);
    return (sq_count_lanes){n.loads, n.shuffles};
}

int sq_counted(const sq_schedule *given, const sq_target *t, bool threads, sq_arena *arena,
               sq_counted_loop **list, sq_diags *d)
{
    const sq_schedule *s = sq_names_of_loops(given, arena);
    const sq_group_options o = {.nest = {.target = t, .threads = threads},
                                .npasses = sq_pass_find("once")}; /* values have registers before */
    counting c = {.target = t,
                  .how = {.vector_bytes = t->vector_bytes,
                          .most_step = SQ_STRIDE_MOST,
                          .strided = strided,
                          .target = t,
                          .is_fused = given->kernel->fp != SQ_FP_STRICT},
                  .arena = arena,
                  .list = SQ_NEW_ARRAY(arena, sq_counted_loop, MOST)};
    c.pool = sq_code_pool_new(arena);
    for (int g = 0; g < s->ngroups; g += sq_fusion_length(s, g)) {
        sq_code *x = NULL;
        if (t->grid && s->group[g]->kind == SQ_GROUP_TILED) /* each lane of its vectors is an instruction */
            continue;
        if (sq_group_code(s, g, &o, c.pool, &x, d) != 0)
            return -1;
        c.parts = 0;
        add_parts(&c, x);
        if (c.parts == 0)
            add_loops(&c, x, NULL);
    }
    *list = c.list;
    return c.n;
}
