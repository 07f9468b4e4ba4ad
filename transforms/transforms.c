/* Transforms: the table of all of them. A row's example and refused call are for the gemm of the
 * tests and samples, C[i][j] = beta*C[i][j] + alpha*sum(A[i][k]*B[k][j], k); but those of fuse take
 * a second statement S1 over i, j, those of distribute are for that product as C loops, those of
 * inline and expand for T[i] = X[i]; Y[i] = T[i], those of merge for Y[i][j] = X[i][j], those of tensorize
 * for that product of f16, those of hoist for
 * alpha as a factor of A in the sum, those of dot for that product of int8_t in int32_t, and those of online for
 * m[i] = rmax(X[i][j], j); l[i] = sum(expf(X[i][j] - m[i]), j). */
#include "transforms/rows.h"
#include <stddef.h>
#include <string.h>

const sq_transform sq_transforms[] = {
    {"tile", "tile(dim:points, …)",
     "Adds an outer loop per argument, named i0, i1, … for dimension i, in the order written.",
     "tile(j:256, k:768, i:48)", "tile(x:16)", sq_apply_tile, SQ_ABOUT_BANDS},
    {"order", "order(loop, …)",
     "Orders the loops from outer to inner; those not listed stay in order inside the listed.",
     "order(j, i, k)", "tile(i:8) order(i, i0)", sq_apply_order, SQ_ABOUT_BANDS},
    {"fuse", "fuse(statement, statement, … [at loop])",
     "Computes statements over the same free dimensions together, tile by tile; with `at`, one "
     "after the other in every iteration of loops they share.",
     "fuse(S0, S1)", "fuse(S0, S0)", sq_apply_fuse, SQ_ABOUT_STATEMENTS},
    {"pack", "pack(array at loop|top [as dim16 dim6 …])",
     "Copies what the loops inside `loop` read of an array, in panels along the blocked "
     "dimensions.",
     "tile(j:256, k:256) pack(B at k0 as j16) micro(i:6, j:16 | k)", "pack(C at top)",
     sq_apply_pack, SQ_ABOUT_BANDS},
    {"micro", "micro(dim:points, … [| serial])",
     "Sets the register tile: points of free dimensions, reduction dimensions unrolled completely, "
     "and "
     "the reduction loop that runs inside it.",
     "micro(i:6, j:16 | k)", "micro(i:6, k:16)", sq_apply_micro, SQ_ABOUT_BANDS},
    {"vectorize", "vectorize(dim:lanes)",
     "Vectorizes a dimension of the register tile with this number of lanes.",
     "micro(i:6, j:16 | k) vectorize(j:8)", "micro(i:6, j:12 | k) vectorize(j:8)",
     sq_apply_vectorize, SQ_ABOUT_BANDS},
    {"unroll", "unroll(dim:steps)", "Unrolls the serial loop by this number of steps.",
     "micro(i:6, j:16 | k) unroll(k:4)", "micro(i:6, j:16 | k) unroll(i:4)", sq_apply_unroll,
     SQ_ABOUT_BANDS},
    {"parallel", "parallel(loop)", "Lets threads share the iterations of a loop.", "parallel(i)",
     "parallel(k)", sq_apply_parallel, SQ_ABOUT_LOOPS},
    {"split", "split(dim:ways)",
     "Distributes the serial loop's steps over independent accumulators, added up at the end.",
     "micro(j:16 | k) split(k:4)", "split(k:4)", sq_apply_split, SQ_ABOUT_BANDS},
    {"epilogue", "epilogue(first|last)",
     "Says whether the rest of the value is applied to the first or the last partial sum.",
     "tile(k:256) order(k0, i, j) epilogue(first) micro(i:6, j:16 | k)",
     "tile(k:256) order(k0, i, j) epilogue(last) micro(i:6, j:16 | k)", sq_apply_epilogue, SQ_ABOUT_BANDS},
    {"hold", "hold(loop)",
     "Runs a reduction's loop, and those inside of it, in the register tile: sums stay in "
     "registers.",
     "tile(k:64) order(i, j, k0) micro(i:6, j:16 | k) hold(k0)", "hold(i)", sq_apply_hold, SQ_ABOUT_BANDS},
    {"block", "block(loop, … [, group:rows])",
     "Distributes the iterations of loops over the blocks of a grid, in groups of rows of tiles.",
     "tile(i:8, j:8) order(i0, j0) block(i0, j0, group:4)", "block(k)", sq_apply_block, SQ_ABOUT_TILES},
    {"thread", "thread(loop:threads, …)",
     "Distributes the iterations of loops over the threads of a block, with this number per loop; "
     "in "
     "a reduction that hold keeps in registers each has a partial sum.",
     "tile(j:128) block(i, j0) thread(j:128)", "thread(k:32)", sq_apply_thread, SQ_ABOUT_TILES},
    {"share", "share(array, … at loop [, pad:elements, stages:copies])",
     "Copies what the threads of a block read of arrays to memory that they share.",
     "tile(i:32, j:32, k:8) order(i0, j0, i, j, k0) micro(i:2, j:4 | k) hold(k0) block(i0, j0) "
     "thread(i, j) share(A, B at k0)",
     "share(A at k)", sq_apply_share, SQ_ABOUT_TILES},
    {"tensorize", "tensorize(rows:16, columns:8, steps:16)",
     "Computes the register tile of a sum of products by matrix instructions of that shape, a warp "
     "a tile; those of 64 rows (sm_90a) are run by four warps.",
     "tile(i:32, j:32, k:32) order(i0, j0, i, j, k0) micro(i:32, j:16 | k) tensorize(i:16, j:8, "
     "k:16) hold(k0) block(i0, j0) thread(i, j) share(A, B at k0, pad:8)",
     "micro(i:32, j:16 | k) tensorize(i:16, j:8, k:8)", sq_apply_tensorize, SQ_ABOUT_TILES},
    {"auto",
     "auto([statement, …,] [fuse:max|min|smart,] [keep:loops,] [tile:points, …] "
     "[parallel|grid:threads])",
     "Finds loops for many statements from their dependences: fused, skewed, tiled, parallel.",
     "auto(tile:16)", "auto(tile:0)", sq_apply_auto, SQ_ABOUT_STATEMENTS},
    {"inline", "inline(statement, …)",
     "Recomputes the values of statements wherever they are read; the statements and their "
     "temporaries disappear.",
     "inline(S0)", "inline(S1)", sq_apply_inline, SQ_ABOUT_STATEMENTS},
    {"expand", "expand(statement, …)",
     "Gives what statements write to temporaries arrays of their own, an element for each "
     "instance.",
     "expand(S0)", "expand(S1)", sq_apply_expand, SQ_ABOUT_STATEMENTS},
    {"distribute", "distribute(statement [at loop])",
     "Gives each statement of the C loops around one a nest of its own, inside of the loop named; repeated "
     "updates of one element become reductions.",
     "distribute(S0)", "distribute(S9)", sq_apply_distribute, SQ_ABOUT_STATEMENTS},
    {"online", "online(maximum, dim:points)",
     "Runs a maximum and the sums of exp(x - maximum) tile by tile, rescaled as the maximum grows.",
     "online(S0, j:8)", "online(S1, j:8)", sq_apply_online, SQ_ABOUT_STATEMENTS},
    {"merge", "merge([statement,] dim, …)",
     "Merges dimensions that are adjacent in all arrays; removes those of one value.",
     "merge(i, j)", "merge(j, i)", sq_apply_merge, SQ_ABOUT_STATEMENTS},
    {"parts", "parts(statement, dim:values)",
     "Computes a sum, product, maximum or minimum in parts of this number of values of a "
     "reduction's "
     "dimension, by a statement of its own; the first statement combines them.",
     "parts(S0, k:64)", "parts(S0, i:64)", sq_apply_parts, SQ_ABOUT_TILES},
    {"dot", "dot(statement, dim [, array …])",
     "Computes a sum of products of 8-bit or 16-bit elements by packed dot products of processors.",
     "dot(S0, k)", "dot(S0, i)", sq_apply_dot, SQ_ABOUT_TILES},
    {"narrow", "narrow(statement, …)",
     "Computes sums of a constant number of small integers in the narrowest integers that hold them.",
     "narrow(S0)", "narrow(S1)", sq_apply_narrow, SQ_ABOUT_TILES},
    {"hoist", "hoist(statement [, array …])",
     "Computes operations that fewer loops move than the statement once for the others, by statements before it.",
     "hoist(S0, A)", "hoist(S0, B)", sq_apply_hoist, SQ_ABOUT_STATEMENTS},
    {0},
};

const sq_transform *sq_transform_get(const char *name)
{
    for (const sq_transform *t = sq_transforms; t->name; t++)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}
