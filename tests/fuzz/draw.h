/* Draw, inside: what the random statements (draw.c) and the random values in them (draw_value.c)
 * share. */
#ifndef SQ_TESTS_FUZZ_DRAW_H
#define SQ_TESTS_FUZZ_DRAW_H
#include "tests/fuzz/program.h"

enum { MOST_SCOPE = 8, MOST_DEPTH = 5, CAP = 2, SUM_GROWTH = 7 };

typedef struct draw {
    program *p;
    sq_rng *r;
    features f[1];    /* what this program may have */
    bool overlapping; /* two arrays are to be one */
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
expr *draw_expr(draw *d, kind k, sq_type type);
expr *draw_constant(draw *d, sq_type type, double number);
expr *draw_binary(draw *d, const char *text, expr *a, expr *b);
/* a where it has this type already. */
expr *draw_cast(draw *d, sq_type type, expr *a);
expr *draw_unary(draw *d, const char *text, expr *a);
/* An element of an array of this type; NULL when there is none to be had. */
expr *draw_read(draw *d, sq_type type, bool cold);
/* Of large values a small part, so that sums of them stay small. */
expr *draw_tamed(draw *d, expr *e, int *magnitude);
/* cold: reads no array that the nest writes. *magnitude: at most 2^that. */
expr *draw_leaf(draw *d, sq_type type, bool cold, int *magnitude);
expr *draw_value(draw *d, sq_type type, int depth, bool cold, int *magnitude);

/* draw.c */
extent draw_box(draw *d);
/* A new index in scope with that box, of a part of it with so much chance; -1. */
int draw_index_var(draw *d, extent box, int narrowed);
node *draw_node(draw *d, node_kind k);

/* draw_softmax.c, draw_product.c: a last statement, or several. */
void draw_softmax(draw *d, node **tail);
void draw_product(draw *d, node **tail);

/* draw_form.c */
typedef enum sort { REALS = 1, INTEGERS = 2, ANY = 3 } sort;
/* The type that arithmetic on two others has, by C's rules. */
sq_type type_usual(sq_type a, sq_type b);
/* Another type of the same sort that is computed in. */
sq_type draw_other_type(draw *d, sq_type type);
/* Has it the same bits under every schedule? Only such values decide conditions, become integers
 * or are searched for their greatest: rounding there would look like a wrong result. */
bool is_exact(const program *p, const expr *e);
#endif
