/* Convert: conversion between vectors of elements of different widths. C's extension can express
 * it, but gcc 12 converts integers lane by lane, and halves to f64; on x86 intrinsics are printed. */
#ifndef SQ_CODEGEN_ISA_CONVERT_H
#define SQ_CODEGEN_ISA_CONVERT_H
#include "codegen/isa/vector.h"

/* Returns the conversion of x, a vector of this shape, to the type `to`, of another width, with the same
 * number of lanes. The shape of the result must be declared as well. */
const char *sq_vector_convert(sq_vector *v, sq_type to, const char *x, sq_arena *arena);
/* Prints definitions of the conversions used. */
void sq_convert_define(const sq_vector *v, const char *n, const sq_target *t, sq_text *to);
#endif
