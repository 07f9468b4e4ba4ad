/* Poly: polynomials of sizes, which subscripts a[i*n + j] are. Each term is a product of sizes and
 * at most one variable. What a variable is multiplied by becomes one size even where it is a sum or
 * a quotient, as in i*(n + 1): a stand-in, whose value is an affine form. So does a quotient of
 * variables, (i/2)*n, become one variable, and an element of an array, x[i]*n. */
#ifndef SQ_FRONTEND_POLY_H
#define SQ_FRONTEND_POLY_H
#include "frontend/scop_build.h"

enum { SQ_MOST_TERMS = 32 };

/* factor * size * size … * variable. var -1: none; SQ_MAX_VARS and more: a quotient or a value. Sizes in the
 * order in which the kernel has them, stand-ins last. */
typedef struct sq_term {
    int64_t factor;
    int var, nsizes;
    const sq_size *size[SQ_FLAT_DIMS];
} sq_term;

typedef struct sq_poly {
    int n;
    sq_term t[SQ_MOST_TERMS];
} sq_poly;

/* False: it is no such polynomial. No error is added. */
bool sq_poly_read(sq_builder *b, CXCursor c, sq_poly *p);
/* What a counter (scop_counter.c) is there, k or k++, over the universe; NULL, without an error: c is none, or it is
 * not affine. */
isl_aff *sq_poly_counter(sq_builder *b, CXCursor c);
/* a += sign * b; false if that has too many terms. */
bool sq_poly_add(sq_poly *a, const sq_poly *b, int sign);
/* a + factor * s, over the universe. Takes a. */
isl_aff *sq_poly_add_size(const sq_builder *b, isl_aff *a, const sq_size *s, int64_t factor);
/* A size that is this number. */
const sq_size *sq_poly_number(sq_builder *b, int64_t number);
/* What a variable or quotient of a term is, over the universe; NULL after adding an error. */
isl_aff *sq_poly_variable(sq_builder *b, int var);
/* True if the variable of a term is a value, known when the kernel runs: its text. */
bool sq_poly_value(const sq_builder *b, int var, CXCursor *at);

/* flat_rows.c: the length of rows that the subscript says with a number, 64 in t[x[i]*64 + j]; 0: none. */
int64_t sq_flat_row(sq_builder *b, const sq_poly *p);
/* -1, after an error, where a subscript of the element divides by a size. */
int sq_flat_divides(sq_builder *b, CXCursor element);
/* Makes what such a number divides terms of rows. */
void sq_flat_rows(sq_builder *b, sq_poly *p, int64_t row);

/* flat_fixed.c: the first size that t has beyond the stride of dimension d and that no loop of the region runs to; the
 * last one where all loops do. */
const sq_size *sq_flat_fixed_size(const sq_builder *b, const sq_flat *f, const sq_term *t, int d);
/* True if an array of this shape may begin behind its pointer. */
bool sq_flat_has_origin(const sq_builder *b, CXCursor decl, const sq_flat *f);
/* A size of the caller's that the subscript adds, this one if there is one; NULL. */
const sq_size *sq_flat_offset(const sq_builder *b, const sq_flat *f, const sq_poly *p, const sq_size *which);
/* A size alone. */
sq_poly sq_poly_of(const sq_size *s);
/* Of what a counter begins with. */
sq_poly sq_poly_first(const sq_builder *b, const struct sq_first *first);
/* Takes the origin out of a subscript. */
void sq_flat_leave_origin(const sq_flat *f, sq_poly *p);
#endif
