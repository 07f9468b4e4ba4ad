/* Base: the pointers a tile works from. References to one array (or its buffer) that walk it alike
 * share a pointer to the tile's origin and differ by known offsets. The tile's definition and its
 * calls list their parameters from here, so that they cannot disagree. */
#ifndef SQ_CODEGEN_NEST_BASE_H
#define SQ_CODEGEN_NEST_BASE_H
#include "codegen/code/code.h"
#include "codegen/nest/nest.h"

enum { SQ_MAX_BASES = 128, SQ_MAX_REFS = 1024 };

typedef struct sq_base {
    const sq_ref *ref; /* one of those that share it */
    const char *name;  /* "A", "@A_2" */
    bool written;
    bool lone;                 /* no other base of this array: may be restrict */
    bool runtime[SQ_MAX_SUBS]; /* run-time strides it needs, "@A_s0" */
} sq_base;

typedef struct sq_bases {
    int n;
    sq_base base[SQ_MAX_BASES];
    int of[SQ_MAX_REFS]; /* per reference of the nest */
} sq_bases;

void sq_bases_find(const sq_nest *n, sq_bases *b, sq_arena *arena);
/* True if the nest's references fit in these tables. */
bool sq_bases_fit(const sq_nest *n);
/* Elements from the array's or copy's first to its place at the values `at` of the dimensions. */
const sq_code_expr *sq_base_offset(const sq_nest *n, const sq_base *b,
                                   const sq_code_expr *const *at);
/* The array or the copy that it points into. */
const sq_code_buffer *sq_base_memory(const sq_nest *n, const sq_base *b);
/* The elements of an array one after the other. */
const sq_code_buffer *sq_array_memory(const sq_kernel *k, const sq_array *a, bool is_readonly,
                                      sq_code_pool *code);
/* The name of a run-time stride variable: "@A_s0". */
const char *sq_stride_name(const sq_array *a, int d, sq_arena *arena);
/* Elements between two of array dimension d: a number, or that variable. */
const sq_code_expr *sq_stride_code(const sq_array *a, int d, sq_code_pool *code);
#endif
