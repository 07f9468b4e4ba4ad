/* Piece: functions that isl gives in pieces. */
#ifndef SQ_IR_KERNEL_PIECE_H
#define SQ_IR_KERNEL_PIECE_H
#include <isl/aff.h>

/* The function of the only piece, wherever that is valid; NULL if there is not exactly one. */
isl_aff *sq_only_piece(isl_pw_aff *pa /* __isl_take */);
#endif
