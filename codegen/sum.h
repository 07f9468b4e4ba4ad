/* Sum: text of an affine form as a person would write it: no zeros, no factors of one, numbers
 * added up. A zeroed sq_sum is the empty sum. */
#ifndef SQ_CODEGEN_SUM_H
#define SQ_CODEGEN_SUM_H
#include "support/arena.h"
#include "support/text.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct sq_sum {
    sq_text terms;
    int64_t konst;
} sq_sum;

/* Adds coef * term; a term that is a number is added to the constant. NULL is 0. */
void sq_sum_add(sq_sum *s, int64_t coef, const char *term);
/* The text, "0" when nothing is left; clears the sum. */
const char *sq_sum_text(sq_sum *s, sq_arena *arena);
/* The text as a factor or divisor's left side: in parentheses unless it is one name or number. */
const char *sq_text_factor(const char *text, sq_arena *arena);
bool sq_text_number(const char *text, int64_t *value);
/* hi - lo where both are texts; numbers and "lo + n" come out as numbers. */
const char *sq_text_difference(const char *hi, const char *lo, sq_arena *arena);
#endif
