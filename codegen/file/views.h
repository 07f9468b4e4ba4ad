/* Views: arrays as callers have them, with a stride for each dimension. Of a kernel K the file has, with
 * --views,
 *
 *     int K_views(views, scalars)                  K on the caller's memory where it is laid out as K wants it,
 *                                                  on copies of other arrays
 *     size_t K_views_workspace(views, sizes)       bytes of the copies and of K
 *     int K_views_in(views, scalars, workspace)    the same in memory of the caller
 *     K_views_on, K_views_on_workspace             the same with threads of the caller, where there is K_on
 *     const char *K_views_error(int code)          what these return in words
 *
 *     views_sizes.c  which sizes the extents say, what is copied    views_header.c  types, declarations
 *     views_text.c   what all functions of a file share             views.c         the functions
 *
 * Sizes are not passed that the extents of views say, and neither are those that are only the length of rows or of
 * planes: strides say them. */
#ifndef SQ_CODEGEN_FILE_VIEWS_H
#define SQ_CODEGEN_FILE_VIEWS_H
#include "codegen/code/uses.h"
#include "codegen/file/bindings.h"

/* Where a size of the kernel is from. */
typedef enum sq_view_from {
    SQ_VIEW_UNKNOWN, /* while sizes are looked for */
    SQ_VIEW_PASSED,  /* it is a parameter: no extent says it. Fixed sizes, too */
    SQ_VIEW_EXTENT,  /* an extent says it */
    SQ_VIEW_LENGTH   /* it is the length of rows, of planes or of what is further out alone: strides say it */
} sq_view_from;

typedef struct sq_view_size {
    sq_view_from from;
    int array, dim; /* SQ_VIEW_EXTENT: of that dimension of sq_views.array[array] */
} sq_view_size;

typedef struct sq_view_array {
    const sq_array *array;
    isl_aff **used; /* of each dimension, up to the last element that the kernel touches, where the size that is its
                       extent says nothing but a length: what the caller's extent is then. Owned; NULL: as described */
    bool is_kept;     /* elements are read, or not all are written: a copy begins as the caller's array */
} sq_view_array;

/* The views of a kernel. */
typedef struct sq_views {
    const sq_kernel *k;
    const char *function; /* K, where functions are printed */
    sq_arena *arena;
    int narrays;
    sq_view_array *array;             /* in the order of the parameters */
    sq_view_size size[SQ_MAX_SIZES];  /* of k->size[] */
    sq_uses uses; /* helpers that the text calls */
    int nfound, found[SQ_MAX_SIZES];  /* those from extents, each after those that its extent is made of */
} sq_views;

/* To be freed. */
sq_views *sq_views_of(const sq_kernel *k);
void sq_views_free(sq_views *v);
/* The extent that a view has: borrowed. */
isl_aff *sq_views_extent(const sq_views *v, int array, int dim);
/* True if a view may have more elements along the dimension than that: they are not touched. */
bool sq_views_may_exceed(const sq_views *v, int array, int dim);
/* The size that is the length of the dimension alone; -1: it is as long as the extent. */
int sq_views_length(const sq_views *v, int array, int dim);

/* What a file has for views, behind its kernels. */
typedef struct sq_views_file {
    int n;
    const sq_bound_kernel *of;
    const char *api;      /* as sq_emit_options has it */
    bool has_header;      /* a header that the file includes declares the functions */
    bool is_local;        /* they are static */
    bool is_freestanding; /* without K_views, which takes memory */
    bool has_codes;       /* as sq_emit_options has it */
    bool has_tasks;       /* threads of the caller share loops: there is K_views_on */
} sq_views_file;
void sq_views_source(const sq_views_file *f, sq_text *to);
/* The types of a kernel's views, each once in a program. */
void sq_views_types(const sq_kernel *k, sq_text *to);
/* The prototypes of the functions that the file has for it. */
void sq_views_declare(const sq_views_file *f, const sq_kernel *k, const char *function, sq_text *to);
/* "squall_const_f32_2d" */
const char *sq_views_type(const sq_array *a, sq_arena *arena);
/* True if a call with views passes the parameter. */
bool sq_views_passes(const sq_views *v, const sq_param *p);

/* How a parameter is written. */
typedef enum sq_views_form {
    SQ_VIEWS_DECLARED, /* "squall_f32_2d A": of a function */
    SQ_VIEWS_FOREIGN,  /* the same in a header */
    SQ_VIEWS_POINTERS, /* "const squall_f32_2d *A", "int64_t N": of what fills a call */
    SQ_VIEWS_ADDRESSES /* "&A": its arguments */
} sq_views_form;
/* Views and sizes, with `all` scalars, too; more: what follows, or NULL. */
void sq_views_params(const sq_views *v, sq_views_form as, bool all, const char *more, sq_text *to);

/* views_text.c: structs and functions of all views of a file, as helpers sq_…; dims: of the array with the most,
 * align: the greatest multiple that an array begins at; sizes: those of elements, in bytes, added up; uses: the helpers
 * that the kernels' text calls, to which those of this text are added. */
void sq_views_put_shared(int dims, int align, unsigned sizes, const sq_uses *uses, sq_text *to);
#endif
