/* tensorize(i:16, j:8, k:16): matrix instructions of that shape compute the register tile: their
 * rows are along i, their columns along j, their steps along k, which runs inside the tile. The
 * tile that micro names is a warp's from then on; an instruction of 64 rows is that of four
 * warps. */
#include "ir/dependence/tensor.h"
#include "transforms/edit.h"
#include "transforms/rows.h"

/* Returns the dimension of an argument. */
static int take(sq_schedule *s, const sq_group *g, const sq_call *call, int i, const char **why,
                sq_culprit *at)
{
    at->arg = i;
    int d = sq_arg_dim(s, g, &call->arg[i], why, at);
    if (d < 0)
        return -1;
    if (i == 2 && d != g->micro.serial)
        return sq_edit_refuse(s, why, at, i,
                              "'%s' does not run inside the tile, as the steps of instructions do: "
                              "micro(… | %s)",
                              g->dim[d], g->dim[d]);
    bool warpgroup = call->arg[0].value == SQ_WARPGROUP_ROWS;
    int64_t own = i == 0 && warpgroup ? SQ_WARPGROUP_ROWS / SQ_WARPGROUP : call->arg[i].value;
    if (i < 2 && (d >= g->nfree || g->micro.points[d] < own))
        return sq_edit_refuse(s, why, at, i,
                              "the tile has not %lld points of '%s', which the instruction takes "
                              "at once: micro(%s:%lld, … | …) before",
                              (long long)own, g->dim[d], g->dim[d], (long long)own);
    return d;
}

int sq_apply_tensorize(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at)
{
    int dim[3];
    bool form = call->nargs == 3;
    for (int i = 0; i < call->nargs && form; i++)
        form = call->arg[i].has_value && !call->arg[i].section && call->arg[i].value > 0;
    if (!form)
        return sq_edit_refuse(s, why, at, -1,
                              "write the rows, columns and steps of one instruction: "
                              "tensorize(i:16, j:8, k:16)");
    for (int i = 0; i < 3; i++) {
        dim[i] = take(s, g, call, i, why, at);
        if (dim[i] < 0)
            return -1;
    }
    if (dim[0] == dim[1])
        return sq_edit_refuse(s, why, at, 1, "'%s' is listed twice", call->arg[1].name);
    g->micro.tensor = (sq_tensor){.rows = dim[0],
                                  .columns = dim[1],
                                  .m = (int)call->arg[0].value,
                                  .n = (int)call->arg[1].value,
                                  .k = (int)call->arg[2].value};
    g->micro.vector = dim[1];
    g->micro.lanes = 2;
    return 0;
}
