/* Ref: an access as coefficients, and the buffer that it reads if its array is packed. They
 * determine the address of a tile point (origin plus a known offset) and thereby the code of the
 * tile evaluator: broadcast, vector or strided load, shared, hoisted.
 *
 * A buffer holds the box of array elements that the loops inside a pack's loop access. Each array
 * dimension a has an axis of `extent` positions, position = (subscript - lo) / stride. An axis may
 * be split by `split`: into panels (quotient outermost, remainder innermost) or phases (remainder
 * just outside the quotient, so that a strided convolution gets contiguous vectors). */
#ifndef SQ_CODEGEN_NEST_REF_H
#define SQ_CODEGEN_NEST_REF_H
#include "codegen/code/expr.h"
#include "ir/schedule/window.h"

enum { SQ_MAX_SUBS = 8 };

/* A row of 128 bytes has 64 elements of 2 bytes. */
enum { SQ_SWIZZLED_ROW = 64, SQ_SWIZZLED_ROWS = 8, SQ_SWIZZLED_BYTES = 1024 };

typedef enum sq_split { SQ_SPLIT_NONE, SQ_SPLIT_PANEL, SQ_SPLIT_PHASE } sq_split;

typedef struct sq_axis {
    const sq_code_expr *lo; /* smallest subscript of this box, as a short expression */
    /* value of the variable that lo is; NULL: lo is not a variable of its own */
    const sq_code_expr *lo_value;
    bool clipped; /* the box may exceed the array along this axis */
    /* it may begin before the array's first element: possible at an edge only */
    bool before;
    /* the last subscript that is copied plus 1, if that is not the array's extent: positions behind
     * it are filled; else NULL */
    const sq_code_expr *end;
    const sq_code_expr *len; /* positions needed in this box */
    int64_t konst;           /* smallest constant term of the subscripts, contained in lo */
    int64_t extent;          /* positions allocated */
    int64_t stride;          /* difference of the subscripts of adjacent positions */
    sq_split split;
    int64_t block; /* split by this number */
    /* distance in elements of adjacent quotients, and of adjacent remainders (step_q only when not
     * split) */
    int64_t step_q, step_r;
} sq_axis;

typedef struct sq_buffer {
    const char *name;
    const struct sq_code_buffer *panel; /* the same for code; made by lower_copies.c */
    const sq_array *array;
    sq_type type; /* type of its elements: f32 for arrays of f16 or bf16 */
    int naxes;
    sq_axis axis[SQ_MAX_SUBS];
    int64_t elements; /* including slack for one vector that reads past the end */
    /* of a packed array: where its copies are, which K_pack_A has made (stored.h); else NULL */
    const struct sq_stored *stored;
    bool clipped;     /* the box may exceed the array: elements there are `outside` */
    sq_edge edge;
    sq_number outside;        /* has the array's type */
    bool anything;            /* as far as is known, any value would do outside */
    bool single[SQ_MAX_DIMS]; /* per dimension of the group: the box holds a single point of it */
    int loop;                 /* filled at the head of this loop's body; -1: before all loops */
    bool per_thread;          /* inside a parallel loop */
    bool shared;              /* filled by the threads of a block, completely */
    const struct sq_code_buffer *memory; /* shared: of all stages; the panel itself if there is one */
    int stages;  /* shared: number of its copies, those of coming iterations asynchronous; 1: a single one */
    int inner;   /* shared: the axis that is contiguous in memory */
    bool tensor; /* shared: read by matrix instructions; elements have the array's type */
    /* shared: in the order that instructions of a warpgroup read: rows of SQ_SWIZZLED_ROW elements,
     * whose 16-byte units are permuted in each row, one after the other, in blocks along the inner
     * axis, which is split by that number. The address of such a copy is a multiple of 1024. */
    bool swizzled;
} sq_buffer;

typedef struct sq_ref {
    const sq_access *access;
    const sq_array *array;
    const sq_buffer *buffer; /* NULL: reads the array directly */
    bool affine;             /* affine with integer coefficients: fields below are valid */
    int nsubs;
    int first;                              /* number of the group's first reference to the array */
    int64_t coef[SQ_MAX_SUBS][SQ_MAX_DIMS]; /* per dimension of the group */
    int64_t konst[SQ_MAX_SUBS];
    const sq_code_expr *symbolic[SQ_MAX_SUBS]; /* the terms in sizes, and what a window counts from */
    const sq_window *window; /* what there is of the array; NULL: all */
} sq_ref;

/* Returns the only dimension of the group that moves positions of axis a; -1: there are none or
 * several. */
int sq_buffer_moved_by(const sq_buffer *b, const sq_group *g, const sq_ref *r, int a);
/* Sets the layout of a copy for a warpgroup's instructions (codegen/nest/swizzle.c). False, with
 * *why, if they cannot read it. */
bool sq_buffer_swizzle(sq_buffer *b, const sq_group *g, sq_ref **refs, int nrefs, sq_arena *arena,
                       const char **why);

/* Returns the reference of an access; the pool's arena owns it. */
sq_ref *sq_ref_new(const sq_access *a, sq_code_pool *code);

/* Returns the references of a group: for each statement its reads, then its write. */
sq_ref **sq_refs_new(const sq_group *g, sq_code_pool *code, int *nrefs);

/* Makes the subscripts of references to windowed arrays count from the shared loops of group g. */
void sq_refs_enter(sq_ref **ref, int nrefs, const sq_window *w, int nwindows, const sq_group *g, sq_code_pool *code);

/* An offset from the tile's origin: a known number of elements plus known multiples of the run-time
 * strides of array dimensions. */
typedef struct sq_offset {
    int64_t known;
    int64_t times[SQ_MAX_SUBS]; /* multiples of the run-time stride of array dimension a */
} sq_offset;

/* Returns the offset of the point origin + delta (delta: per dimension of the group). */
sq_offset sq_ref_offset(const sq_ref *r, const int64_t *delta);
/* Finds the distance in elements of consecutive ones of n points along dim, `by` apart, the first
 * one at `from`; n = 0: any number of points. False if it varies: in a copy, quotients and
 * remainders of split axes have different steps. */
bool sq_ref_step(const sq_ref *r, const int64_t *from, int dim, int64_t by, int64_t n,
                 sq_offset *step);
/* True if the address depends on dimension dim. */
bool sq_ref_depends(const sq_ref *r, int dim);
/* Returns the known stride of array dimension d in elements; 0 if it is known only at run time. */
int64_t sq_array_stride(const sq_array *a, int d);
/* Returns the same, or the product of extents. */
const sq_code_expr *sq_array_stride_code(const sq_kernel *k, const sq_array *a, int d,
                                         sq_code_pool *code);
/* Converts an affine expression over the sizes to code and to C text; what that names is added to `uses`, unless it
 * is NULL. */
const sq_code_expr *sq_aff_code(const sq_kernel *k, isl_aff *aff, sq_code_pool *code);
const char *sq_aff_text(const sq_kernel *k, isl_aff *aff, const sq_uses *uses, sq_arena *arena);

/* Returns the number of points of dimension d that one copy covers, in full tiles; -1: not
 * known. */
int64_t sq_pack_covers(const sq_group *g, const sq_pack *p, int d);
/* Returns the buffer of a pack of the group: layout and extents. `refs`: the references that read
 * it, at least one. NULL with *why if its size is not known or a panel does not fit. */
sq_buffer *sq_buffer_new(const sq_group *g, const sq_pack *p, sq_ref **refs, int nrefs,
                         sq_arena *arena, const char **why);
/* Collects the references that read the pack's copy; returns their number. */
int sq_refs_served(const sq_pack *p, sq_ref **ref, int nrefs, sq_ref **served);
/* Returns the first array whose copy, for a pack of the schedule, cannot be made, and why; NULL:
 * all can. It is cheap, as nothing is lowered. */
const sq_array *sq_copies_refused(const sq_schedule *s, sq_arena *arena, const char **why);
/* Returns the largest total size of panels in bytes that exist at once, for a schedule whose copies
 * can all be made, where those of a thread are counted once; *most (unless NULL): the array of the
 * largest panel, NULL without panels. It is cheap as well. */
int64_t sq_copies_bytes(const sq_schedule *s, sq_arena *arena, const sq_array **most);
#endif
