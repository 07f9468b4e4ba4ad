/* Base: the pointers that a tile's accesses start from. References to one array (or its buffer)
 * with the same coefficients share a pointer to the tile's origin and differ by known offsets.
 * The tile's definition and its calls both take their parameters from here, so that they always
 * agree. */
#ifndef SQ_CODEGEN_NEST_BASE_H
#define SQ_CODEGEN_NEST_BASE_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

enum { SQ_MAX_BASES = 128, SQ_MAX_REFS = 1024 };

typedef struct sq_base {
    const sq_ref *ref; /* one of the references that share it */
    const char *name;  /* "A", "@A_2" */
    bool written;
    bool lone;                 /* no other base points into this array: may be restrict */
    bool runtime[SQ_MAX_SUBS]; /* needs this run-time stride, "@A_s0" */
} sq_base;

typedef struct sq_bases {
    int n;
    sq_base base[SQ_MAX_BASES];
    int of[SQ_MAX_REFS]; /* the base of each reference of the nest */
} sq_bases;

void sq_bases_find(const sq_nest *n, sq_bases *b, sq_arena *arena);
/* True if the nest's references fit in these tables. */
bool sq_bases_fit(const sq_nest *n);
/* Returns the offset in elements from the start of the array or copy to the base, at the values
 * `at` of the dimensions. */
const sq_code_expr *sq_base_offset(const sq_nest *n, const sq_base *b,
                                   const sq_code_expr *const *at);
/* Returns the array or the copy that it points into. */
const sq_code_buffer *sq_base_memory(const sq_nest *n, const sq_base *b);
/* Returns an array as a buffer of one dimension. */
const sq_code_buffer *sq_array_memory(const sq_kernel *k, const sq_array *a, bool is_readonly,
                                      sq_code_pool *code);
/* Returns the name of the variable of a run-time stride: "@A_s0". */
const char *sq_stride_name(const sq_array *a, int d, sq_arena *arena);
/* Returns the stride of array dimension d in elements: a number, or that variable. */
const sq_code_expr *sq_stride_code(const sq_array *a, int d, sq_code_pool *code);
#endif
