/* Tensor: the register tile of a sum of products that a warp's matrix instructions compute,
 *
 *     tensorize(i:16, j:8, k:16)
 *
 * The instruction has rows, columns and steps of the sum, and determines which lane of the warp holds
 * which element. The tile that micro names is the warp's; of every 8 x 8 points of it a lane has two
 * adjacent ones of a row: row lane / 4, columns lane % 4 * 2 and the next. The loops over the tile's
 * points, which threads share, are shared by warps.
 *
 * Instructions of 64 rows (wgmma) are executed by a warpgroup, four adjacent warps: each of them has
 * 16 of the rows, and micro(i:16, j:n | k) is one instruction. They read their operands from shared
 * memory, asynchronously to the threads, in a layout of their own: `swizzled` of sq_buffer,
 * codegen/nest/ref.h. */
#ifndef SQ_IR_DEPENDENCE_TENSOR_H
#define SQ_IR_DEPENDENCE_TENSOR_H
#include "ir/schedule/schedule.h"

enum { SQ_WARP = 32, SQ_WARPGROUP = 4 /* threads of a warp, warps of a warpgroup */ };
/* Columns of a tile part in which a lane has two adjacent ones. */
enum { SQ_TENSOR_COLUMNS = 8 };

/* The shape of an instruction. */
typedef struct sq_tensor_shape {
    sq_type operand, sum;
    int m, n, k;
    bool rounds; /* rounds the operands: f32 to tf32 */
    /* warps that run it together; if four, n is the smallest of many possible numbers of columns */
    int warps;
} sq_tensor_shape;
/* Returns the shape for products of such elements, run by this number of warps (1, SQ_WARPGROUP);
 * NULL: there is none. */
const sq_tensor_shape *sq_tensor_shape_of(sq_type operand, sq_type sum, int warps);

/* True if a warpgroup runs each of the tile's instructions. */
bool sq_tensor_is_warpgroup(const sq_group *g);
/* Rows of such an instruction, and its maximum number of columns. */
enum { SQ_WARPGROUP_ROWS = 64, SQ_WARPGROUP_COLUMNS = 256 };

/* The operands of a sum of products: of[0] is indexed by the rows, of[1] by the columns, both by
 * the steps. Returns false if the group's first statement is no such sum. */
typedef struct sq_tensor_product {
    const sq_access *of[2];
    sq_type sum;
} sq_tensor_product;
bool sq_tensor_product_of(const sq_group *g, int rows, int columns, int steps,
                          sq_tensor_product *p);

/* True if a warp computes the tile. */
bool sq_group_is_tensor(const sq_group *g);
/* True if d is one of the tile's two dimensions: the points of one thread are not contiguous. */
bool sq_tensor_has(const sq_group *g, int d);
/* Returns the innermost loop over the steps of the sum, whose iterations consist of whole
 * instructions; -1. */
int sq_tensor_loop(const sq_group *g);
/* True if the group's tensor tile reads the array by matrix instructions. */
bool sq_tensor_reads(const sq_group *g, const sq_array *a);
/* True if its instructions round the factors. */
bool sq_tensor_rounds(const sq_group *g);
/* Checks the rules on form for tensor tiles. 0 legal, -1 with *why. */
int sq_tensor_legal(const sq_schedule *s, const sq_group *g, const char **why);
#endif
