/* Piece: pieces of isl's piecewise affine expressions. */
#ifndef SQ_IR_KERNEL_PIECE_H
#define SQ_IR_KERNEL_PIECE_H
#include <isl/aff.h>

/* Returns the expression of the only piece, which must be valid everywhere; NULL if there is not
 * exactly one. */
isl_aff *sq_only_piece(isl_pw_aff *pa /* __isl_take */);
#endif
