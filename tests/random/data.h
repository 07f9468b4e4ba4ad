/* Buffers of one run: every array between guard zones, and what the evaluator makes of them. */
#ifndef RANDOM_DATA_H
#define RANDOM_DATA_H
#include "tree.h"

enum { GUARD = 128, CONSTANT_SIZE = 45 };

/* A number of a program: v is the exact value as far as this program knows it, which rounding may
 * change by e at most; e is infinite where nothing can be said. Integers are in i. */
struct value {
    double v, e;
    int64_t i;
    enum type type;
};

struct buffer {
    unsigned char *bytes; /* guard, elements, guard */
    int64_t elements, size, offset;
    double *v, *e; /* the evaluator's elements: floats; of integers e only */
    int64_t *i;
};

struct run {
    const struct program *program;
    int64_t sizes[MAX_SIZES];
    int64_t vars[MAX_VARS];
    struct buffer buffers[MAX_ARRAYS];
    int64_t extents[MAX_ARRAYS][MAX_DIMS];
    int64_t work, limit; /* nodes evaluated; beyond the limit the sizes are too large */
    bool failed;         /* the tree itself is wrong: an access out of bounds */
    int64_t unsure, compared;
};

bool is_parameter(const struct array *a);
void run_fill(struct run *r, const struct program *p, const int64_t *sizes);
void run_free(struct run *r);
void run_evaluate(struct run *r);
/* Compares what the compiled text left in `after` (all buffers one after the other). Returns true if
 * all is right, else writes the first wrong element. */
bool run_compare(struct run *r, const unsigned char *after, FILE *out);

/* value.c */
double round_to_half(double x, enum type type);
struct value value_load(const struct buffer *b, enum type type, int64_t at);
void value_store(struct buffer *b, enum type type, int64_t at, struct value x);
struct value value_convert(struct value x, enum type type);
struct value value_binary(enum op op, struct value a, struct value b);
struct value value_saturate(struct value x, enum type type);
struct value value_call(enum call call, struct value x);
struct value value_number(enum type type, double number);
struct value value_sum_rounded(struct value x, double magnitude, int64_t terms);
int64_t wrap(int64_t x, enum type type);

#endif
