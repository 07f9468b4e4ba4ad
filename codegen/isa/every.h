/* Every: loads of every second, third or fourth element. Lanes lie a small known distance apart in
 * pooling and in convolutions with a stride; whole vectors and shuffles bring them, where a gather
 * takes an instruction or two a lane. */
#ifndef SQ_CODEGEN_ISA_EVERY_H
#define SQ_CODEGEN_ISA_EVERY_H
#include "codegen/isa/vector.h"

/* The largest distance that has such a load. */
enum { SQ_EVERY_MOST = 4 };

/* "sq_f32x16_every2", marked as used: (p), or `rest`: (p, n), the first n lanes. */
const char *sq_vector_every(sq_vector *v, int step, bool rest, sq_arena *arena);
/* The operations that these loads are made of: bit per sq_vop. */
unsigned sq_every_needs(const sq_vector *v, const sq_target *t);
/* Definitions of what is used. */
void sq_every_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to);
#endif
