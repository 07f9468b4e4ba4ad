/* Draw, inside: what the random statements (draw.c) and the random values in them (draw_value.c)
 * share. */
#ifndef SQ_TESTS_FUZZ_DRAW_H
#define SQ_TESTS_FUZZ_DRAW_H
#include "tests/fuzz/program.h"

enum { MOST_SCOPE = 8, MOST_DEPTH = 5, CAP = 2, SUM_GROWTH = 7 };

typedef struct draw {
    program *p;
    sq_rng *r;
    const features *f;
    sq_arena *arena;
    int nscope, scope[MOST_SCOPE]; /* variables that subscripts may use */
    unsigned hot;                  /* arrays written in this nest */
    int names;                     /* names given to indices with a range of their own */
} draw;

int draw_below(draw *d, int n);
bool draw_chance(draw *d, int percent);

affine affine_of_var(int v);
/* e - 1 */
affine extent_last(const extent *e);

/* A new array without dimensions; -1: there are enough. */
int draw_new_array(draw *d, sq_type type);
/* A new array shaped by its first subscripts; -1. */
int draw_array_for(draw *d, sq_type type, affine *sub);
/* Subscripts from the variables in scope that stay in the array; false: none found. */
bool draw_subscripts(draw *d, int which, affine *sub);

sq_type draw_type(draw *d);
/* The type that arithmetic on t has. */
sq_type type_computed(sq_type t);
expr *draw_expr(draw *d, kind k, sq_type type);
expr *draw_constant(draw *d, sq_type type, double number);
expr *draw_binary(draw *d, const char *text, expr *a, expr *b);
expr *draw_cast(draw *d, sq_type type, expr *a);
/* Of large values a small part, so that sums of them stay small. */
expr *draw_tamed(draw *d, expr *e, int *magnitude);
/* cold: reads no array that the nest writes. *magnitude: at most 2^that. */
expr *draw_leaf(draw *d, sq_type type, bool cold, int *magnitude);
expr *draw_value(draw *d, sq_type type, int depth, bool cold, int *magnitude);
#endif
