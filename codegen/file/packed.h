/* Packed: what a file has of the arrays that callers keep packed.
 *
 *     size_t gemm_packed_W_bytes(sizes)          bytes of packed memory
 *     int gemm_pack_W(sizes, W, void *to)        packs, once
 *     int gemm_packed(..., const void *W, ...)   takes what that has made
 *
 * Packed memory begins with a line that holds a number: of the layout, and of the sizes that it depends on. gemm_packed
 * compares it, so that memory which was packed for another layout (another target, schedule or version) or for other
 * sizes is refused, and not misread. */
#ifndef SQ_CODEGEN_FILE_PACKED_H
#define SQ_CODEGEN_FILE_PACKED_H
#include "codegen/print/printer.h"

enum { SQ_PACKED_HEAD = 64 }; /* bytes in front of the copies, and what packed memory is aligned to */

/* How a file stores an array that callers pass packed. */
typedef struct sq_printed_packed {
    const sq_array *array;
    const sq_buffer *buffer; /* of its copies; NULL: it is stored as it is */
    sq_type type;            /* of the stored elements */
    const char *body;        /* loops that fill the memory @to */
    sq_code_keys names;      /* named by them */
    const struct sq_printed_packed *next;
} sq_printed_packed;

/* True if the kernel takes packed arrays. */
bool sq_packed_any(const sq_kernel *k);
/* Returns "gemm_pack_W" and "gemm_packed_W_bytes", for the function gemm_packed. */
const char *sq_packed_function(const char *function, const sq_array *a, sq_arena *arena);
const char *sq_packed_bytes(const char *function, const sq_array *a, sq_arena *arena);
/* Finds how the schedule stores its packed arrays: p->packed. -1 after adding an error. */
int sq_packed_prepare(sq_printer *p, const sq_schedule *s, sq_diags *d);
/* Appends the functions that pack, static ones and public ones; check: there is sq_fits. */
void sq_packed_print(const sq_printer *p, bool check, sq_text *to);
/* Appends the beginning of sq_nest: the arrays of packed parameters, which are named sq_packed_given(). */
void sq_packed_open(const sq_printer *p, sq_text *to);
const char *sq_packed_given(const sq_array *a, sq_arena *arena);
/* Appends the test that packed parameters are what they should be; otherwise the function returns a code. */
void sq_packed_test(const sq_printer *p, sq_text *to);
/* Appends the declarations for a header. */
void sq_packed_declare(const sq_kernel *k, const char *api, const char *function, sq_text *to);

/* A call of a function that takes packed arrays, in one that takes them as they are, and packs them. */
typedef struct sq_packed_call {
    const char *wrapper, *function; /* `static int wrapper(...)` calls function */
    const char *packs;              /* gemm_packed, whose functions pack */
    const char *declared, *passed;  /* further parameters, ", void *workspace", and arguments; or NULL */
    const char *before;             /* statements before the call; or NULL */
    const char *holds;              /* a variable: what is packed is kept if it is true; or NULL */
} sq_packed_call;
void sq_packed_wrap(const sq_kernel *k, const sq_packed_call *c, sq_text *to);
#endif
