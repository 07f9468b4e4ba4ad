/* Target takes: checks that a target can express a schedule. CPUs have threads and private copies;
 * a grid has blocks, threads of a block, and memory that these share. */
#include "codegen/emit.h"
#include "codegen/isa/isa.h"
#include "ir/dependence/tensor.h"
#include "ir/schedule/tree.h"
#include <string.h>

static int refuse(const sq_group *g, sq_diags *d, const char *why)
{
    return sq_error(d, SQ_FAULT_REFUSED, g->stmt[0]->loc, "%s: %s", g->stmt[0]->name, why);
}

/* Suggests the target that has the instructions, if there is one. */
static int refuse_dot(const sq_target *t, const sq_stmt *s, sq_diags *d)
{
    bool bytes = s->body->op == SQ_OP_DOT4;
    const sq_target *more = sq_targets;
    while (more->name && (!more->less || strcmp(more->less, t->name) != 0))
        more++;
    return sq_error(d, SQ_FAULT_REFUSED, s->loc, "%s: target '%s' has no products of words of %s; leave dot out%s%s",
                    s->name, t->name, bytes ? "bytes" : "two elements", more->name ? ", or take --target=" : "",
                    more->name ? more->name : "");
}

static int processor(const sq_group *g, sq_diags *d)
{
    if (g->kind == SQ_GROUP_TREE && g->plan->how.grid)
        return refuse(g, d,
                      "a processor has no grid; auto(…, parallel) is what it has, and "
                      "--target=cuda,arch=sm_80 what has one");
    if (sq_group_is_tensor(g))
        return refuse(g, d,
                      "a processor has no matrix instructions of warps; leave tensorize out, or "
                      "--target=cuda,arch=sm_80");
    for (int l = 0; l < g->nloops; l++)
        if (g->loop[l].runs >= SQ_LOOP_BLOCKS)
            return refuse(g, d,
                          "a processor has no blocks and no threads of a block; parallel(loop) is "
                          "what it has, and --target=cuda,arch=sm_80 what has them");
    return 0;
}

/* Returns the registers for the sums of one thread: one per point of its tile. */
static int64_t sum_registers(const sq_group *g)
{
    const sq_stmt *s = g->stmt[0];
    bool stay = g->micro.serial >= 0 || sq_group_held(g) < g->nloops;
    if (g->kind != SQ_GROUP_TILED || !s->body || !stay)
        return 0;
    int64_t n = (sq_type_bytes(s->body->type) + 3) / 4;
    for (int d = 0; d < g->nfree; d++)
        n *= sq_group_own(g, d);
    return g->micro.split > 1 ? n * g->micro.split : n;
}

/* Registers that ptxas needs in addition to the sums of a warpgroup's instructions. */
enum { WARPGROUP_REGISTERS = 25 };

/* Some registers must be left for operands; a warp gets them in units of 8 per thread. */
static int has_registers(const sq_target *t, const sq_group *g, int64_t threads, sq_arena *arena,
                         sq_diags *d)
{
    int64_t all = t->grid->registers / (threads > 0 ? threads : 1) / 8 * 8,
            one = t->grid->thread_registers;
    int64_t sums = sum_registers(g);
    int64_t beside = sq_tensor_is_warpgroup(g) ? WARPGROUP_REGISTERS : 0;
    const char *has = sq_arena_printf(arena, "%lld at most", (long long)one);
    if (sums + beside < one && sums + beside < all)
        return 0;
    if (sums + beside < one)
        has = sq_arena_printf(arena, "%lld for each of %lld", (long long)all, (long long)threads);
    return refuse(g, d,
                  sq_arena_printf(arena,
                                  "the sums of a thread take %lld registers; %s has %s, and "
                                  "operands take some, too",
                                  (long long)sums, t->grid->arch, has));
}

static int grid(const sq_target *t, const sq_group *g, sq_arena *arena, sq_diags *d)
{
    int64_t threads = sq_group_is_tensor(g) ? SQ_WARP : 1;
    if (g->kind == SQ_GROUP_TREE && !g->plan->how.grid)
        return refuse(g, d,
                      g->plan->written ? "calls about single loops of several statements are for processors; this "
                                         "target has auto(…, grid:128), whose blocks have this number of threads"
                                       : "the loops of auto() are for a processor; this target has "
                                         "auto(…, grid:128), whose blocks have this number of threads");
    for (int l = 0; l < g->nloops; l++) {
        if (g->loop[l].runs == SQ_LOOP_THREADS)
            return refuse(g, d,
                          "parallel(loop) is for processors; this target has block(loop) and "
                          "thread(loop:threads)");
        if (g->loop[l].runs == SQ_LOOP_LANES)
            threads *= sq_loop_threads(g, l);
    }
    for (int i = 0; i < g->npacks; i++)
        if (!g->pack[i].shared)
            return refuse(g, d,
                          "pack copies into a processor's memory; this target has "
                          "share(array at loop)");
    if (g->micro.vector >= g->nfree)
        return refuse(g, d,
                      "a vector along a reduction is for processors; here hold(loop) and "
                      "thread(loop:32) give each thread a part of the sum");
    if (sq_tensor_is_warpgroup(g) && !t->grid->warpgroups)
        return refuse(
            g, d,
            sq_arena_printf(arena,
                            "%s has no instructions of 64 rows; --target=cuda,arch=sm_90a "
                            "has, and tensorize(%s:16, %s:8, %s:16) is what this target has",
                            t->grid->arch, g->dim[g->micro.tensor.rows],
                            g->dim[g->micro.tensor.columns], g->dim[g->micro.serial]));
    if (threads > t->grid->threads)
        return refuse(g, d,
                      sq_arena_printf(arena, "a block of %lld threads; %s has %d at most",
                                      (long long)threads, t->grid->arch, t->grid->threads));
    return has_registers(t, g, threads, arena, d);
}

static bool has(const sq_target *t, const sq_stmt *s)
{
    unsigned parts = !sq_stmt_has_words(s) ? 0 : s->body->op == SQ_OP_DOT4 ? 4 : 2;
    return !parts || t->isa->dots & parts;
}

bool sq_target_has_all(const sq_target *t, const sq_schedule *s)
{
    for (int i = 0; i < s->kernel->nstmts; i++)
        if (!has(t, s->kernel->stmt[i]))
            return false;
    return true;
}

int sq_target_takes(const sq_target *t, const sq_schedule *s, sq_diags *d)
{
    if (t->grid && s->kernel->nproducts)
        return sq_error(d, SQ_FAULT_REFUSED, s->kernel->loc,
                        "'%s': kernels of a device have no product of sizes as a parameter, which "
                        "merged dimensions need here; fix the sizes (--fix=...) or leave merge out",
                        s->kernel->name);
    for (int i = 0; i < s->kernel->nstmts; i++)
        if (!has(t, s->kernel->stmt[i]))
            return refuse_dot(t, s->kernel->stmt[i], d);
    for (int i = 0; i < s->ngroups; i++) {
        int bad = t->grid ? grid(t, s->group[i], s->kernel->arena, d) : processor(s->group[i], d);
        if (bad)
            return -1;
    }
    return 0;
}
