/* Rows: the apply functions of all transforms, one file each (tf_<name>.c), for the table in
 * transforms.c. To add a transform: write its file, declare its function here, add its row. */
#ifndef SQ_TRANSFORMS_ROWS_H
#define SQ_TRANSFORMS_ROWS_H
#include "transforms/transform.h"

typedef int sq_apply(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at);

sq_apply sq_apply_tile, sq_apply_order, sq_apply_fuse, sq_apply_pack, sq_apply_micro;
sq_apply sq_apply_vectorize, sq_apply_unroll, sq_apply_parallel, sq_apply_split;
sq_apply sq_apply_epilogue, sq_apply_auto, sq_apply_inline, sq_apply_expand, sq_apply_distribute;
sq_apply sq_apply_online, sq_apply_block, sq_apply_thread, sq_apply_hold, sq_apply_share;
sq_apply sq_apply_tensorize, sq_apply_parts, sq_apply_merge, sq_apply_dot;
sq_apply sq_apply_narrow, sq_apply_hoist;
#endif
