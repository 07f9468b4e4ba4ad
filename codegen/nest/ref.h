/* Ref: an access in coefficients, and the buffer it goes through when its array is packed. From
 * these follow a tile point's address (origin plus a known offset) and with it everything the tile
 * evaluator decides: broadcast, vector or strided load, shared, hoisted.
 *
 * A buffer holds the box of array elements that the loops inside a pack's loop touch. Each array
 * dimension a has an axis of `extent` positions, position = (subscript - lo) / stride. An axis may
 * be split by `split`: into panels (quotient outermost, remainder innermost) or phases (remainder
 * just outside the quotient: how a strided convolution gets contiguous vectors). */
#ifndef SQ_CODEGEN_NEST_REF_H
#define SQ_CODEGEN_NEST_REF_H
#include "codegen/code/expr.h"
#include "ir/schedule/schedule.h"

enum { SQ_MAX_SUBS = 8 };

/* Elements of 2 bytes in a row of 128 bytes. */
enum { SQ_SWIZZLED_ROW = 64, SQ_SWIZZLED_ROWS = 8, SQ_SWIZZLED_BYTES = 1024 };

typedef enum sq_split { SQ_SPLIT_NONE, SQ_SPLIT_PANEL, SQ_SPLIT_PHASE } sq_split;

typedef struct sq_axis {
    const sq_code_expr *lo;       /* smallest subscript of this box: short */
    const sq_code_expr *lo_value; /* of the variable that lo is; NULL: it is none of its own */
    bool clipped;                 /* the box may reach outside the array along this axis */
    bool before;                  /* and there before its first element: at an edge alone */
    const sq_code_expr *end;      /* one past the last subscript that is copied where that is not
                                     the array's extent: what follows is filled; else NULL */
    const sq_code_expr *len;      /* positions really needed now */
    int64_t konst;                /* smallest constant part of the subscripts, contained in lo */
    int64_t extent;               /* positions allocated */
    int64_t stride;               /* of the subscript between two positions */
    sq_split split;
    int64_t block;          /* split by */
    int64_t step_q, step_r; /* elements between two quotients, two remainders (step_q alone when not
                               split) */
} sq_axis;

typedef struct sq_buffer {
    const char *name;
    const struct sq_code_buffer *panel; /* the same as code's; lower_copies.c makes it */
    const sq_array *array;
    sq_type type; /* of its elements: f32 where the array's are f16 or bf16 */
    int naxes;
    sq_axis axis[SQ_MAX_SUBS];
    int64_t elements; /* with slack for one vector that reads past the end */
    bool clipped;     /* the box may reach outside the array: `outside` there */
    sq_edge edge;
    sq_number outside;        /* of the array's type */
    bool anything;            /* would do outside, as far as is known */
    bool single[SQ_MAX_DIMS]; /* of the group: the box holds one point of it */
    int loop;                 /* filled at the head of this loop's body; -1 at top */
    bool per_thread;          /* inside a parallel loop */
    bool shared;              /* by the threads of a block; filled whole */
    int stages;  /* shared: copies of it, those of coming iterations asynchronous; 1: none */
    int inner;   /* shared: the axis whose neighbours are neighbours in memory */
    bool tensor; /* shared: matrix instructions read it, elements as the array has them */
    /* shared: in the order that instructions of a warpgroup read: rows of SQ_SWIZZLED_ROW elements,
     * whose units of 16 bytes are permuted in each row, one after the other, in blocks along the
     * inner axis, which is split by that. The address of such a copy is a multiple of 1024. */
    bool swizzled;
} sq_buffer;

typedef struct sq_ref {
    const sq_access *access;
    const sq_array *array;
    const sq_buffer *buffer; /* NULL: straight from the array */
    bool affine;             /* affine with integer coefficients: fields below are valid */
    int nsubs;
    int first;                              /* number of the group's first reference to the array */
    int64_t coef[SQ_MAX_SUBS][SQ_MAX_DIMS]; /* of the group's dimensions */
    int64_t konst[SQ_MAX_SUBS];
    const sq_code_expr *symbolic[SQ_MAX_SUBS]; /* the part in sizes */
} sq_ref;

/* The only dimension of the group along which positions of axis a differ; -1: there are none or several. */
int sq_buffer_moved_by(const sq_buffer *b, const sq_group *g, const sq_ref *r, int a);
/* Lays a copy out for a warpgroup's instructions (codegen/nest/swizzle.c). False, with *why, where they cannot read
 * it. */
bool sq_buffer_swizzle(sq_buffer *b, const sq_group *g, sq_ref **refs, int nrefs, sq_arena *arena,
                       const char **why);

/* Reads a reference off an access; the pool's arena owns it. */
sq_ref *sq_ref_new(const sq_access *a, sq_code_pool *code);

/* Those of a group: of each statement its reads, then what it writes. */
sq_ref **sq_refs_new(const sq_group *g, sq_code_pool *code, int *nrefs);

/* An offset from the tile's origin: a known number of elements plus known multiples of the strides
 * of array dimensions that are only known at run time. */
typedef struct sq_offset {
    int64_t known;
    int64_t times[SQ_MAX_SUBS]; /* of the run-time stride of array dimension a */
} sq_offset;

/* Offset of the point origin + delta (delta: per dimension of the group). */
sq_offset sq_ref_offset(const sq_ref *r, const int64_t *delta);
/* Elements between neighbours of n points along dim, `by` apart, the first one at `from`; n = 0: of
 * any number of points. False where they are not the same between all of them: in a copy, quotients
 * and remainders of split axes do not move evenly. */
bool sq_ref_step(const sq_ref *r, const int64_t *from, int dim, int64_t by, int64_t n,
                 sq_offset *step);
/* True if the address depends on dimension dim. */
bool sq_ref_depends(const sq_ref *r, int dim);
/* Known stride of array dimension a in elements; 0 when it is only known at run time. */
int64_t sq_array_stride(const sq_array *a, int d);
/* The same, or the product of extents; as C text. */
const sq_code_expr *sq_array_stride_code(const sq_kernel *k, const sq_array *a, int d,
                                         sq_code_pool *code);
const char *sq_array_stride_text(const sq_kernel *k, const sq_array *a, int d, sq_arena *arena);
/* An affine expression over the sizes, as code and as C text. */
const sq_code_expr *sq_aff_code(const sq_kernel *k, isl_aff *aff, sq_code_pool *code);
const char *sq_aff_text(const sq_kernel *k, isl_aff *aff, sq_arena *arena);

/* Points of dimension d that one filling of the copy covers, tiles counted whole; -1: not known. */
int64_t sq_pack_covers(const sq_group *g, const sq_pack *p, int d);
/* The buffer of one pack of a group: layout and extents. `refs`: the references it serves, at least
 * one. NULL with *why when its size is not known or a panel does not fit. */
sq_buffer *sq_buffer_new(const sq_group *g, const sq_pack *p, sq_ref **refs, int nrefs,
                         sq_arena *arena, const char **why);
/* Those of the references that read through the pack's copy; how many. */
int sq_refs_served(const sq_pack *p, sq_ref **ref, int nrefs, sq_ref **served);
/* The first array of which a pack of the schedule would have a copy that cannot be made, and why;
 * NULL: all can. Cheap: nothing is lowered. */
const sq_array *sq_copies_refused(const sq_schedule *s, sq_arena *arena, const char **why);
/* Bytes of the panels that a schedule whose copies can all be made has at once, those of one thread
 * counted once; *most (not NULL): the array of the largest, NULL without panels. As cheap. */
int64_t sq_copies_bytes(const sq_schedule *s, sq_arena *arena, const sq_array **most);
#endif
