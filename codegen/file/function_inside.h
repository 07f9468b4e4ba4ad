/* Function, inside: shared by the files that print the functions of an emitted file.
 *
 *     function.c   the functions, their parameter lists, entry points
 *     accepts.c    the sizes they accept          workspace.c  the memory of a call
 *     block_pool.c the memory that K keeps between calls
 *     returned.c   the scalar that the nest returns */
#ifndef SQ_CODEGEN_FILE_FUNCTION_INSIDE_H
#define SQ_CODEGEN_FILE_FUNCTION_INSIDE_H
#include "codegen/file/function.h"

typedef enum sq_listed { SQ_LIST_SIZES, SQ_LIST_ALL } sq_listed;

/* Forms of parameter lists. Sizes are int64_t in all but the public functions. */
typedef enum sq_list_form {
    SQ_LIST_DECLARED, /* declarations of an internal function */
    SQ_LIST_COMPUTING, /* the same with restrict, unless arrays may overlap */
    SQ_LIST_INSIDE,   /* arguments for an internal function */
    SQ_LIST_PASSED    /* arguments that one public function passes to another */
} sq_list_form;

/* Returns the linkage of public functions: "static " or "". */
const char *sq_function_linkage(const sq_emit_options *o);
/* Returns the call of a function, "f(M, A)", or its head; behind the parameters stands `last`, unless it is NULL. */
const char *sq_function_call(const sq_kernel *k, const char *function, sq_listed which, sq_list_form form,
                             const char *last, sq_arena *arena);
/* Appends the head of a public function and its brace, and its prototype where no header has it. */
void sq_function_head(const sq_printer *p, const char *type, const char *name, bool only_sizes, const char *last,
                      sq_text *to);
/* Appends "(void)N;" for parameters that are not among the names of the body; NULL: it has none. */
void sq_function_unused(const sq_kernel *k, sq_listed which, const sq_code_keys *names, sq_text *to);
/* Appends the strides that are variables and that the following text names: p->uses. */
void sq_function_strides(const sq_printer *p, sq_text *to);
/* Appends the products of sizes that the following text names, and adds their factors to `uses`. fits: the sizes have
 * been tested; otherwise a product may exceed all memory, and then saturates. */
void sq_function_products(const sq_printer *p, const sq_uses *uses, bool fits, sq_text *to);
/* Appends a function of the sizes, and of `last` unless that is NULL, with the body in `inner`, which it takes; names:
 * those in the body. */
void sq_function_of_sizes(const sq_kernel *k, const char *head, const char *last, const sq_code_keys *names,
                          sq_text *inner, sq_text *to);
/* Returns a call of the function that tests the sizes. */
const char *sq_function_call_fits(const sq_printer *p);
/* Appends "if (!fits(M, N))" and `then`; nothing without a check. */
void sq_function_unfit(const sq_printer *p, bool check, const char *then, sq_text *to);
/* Returns the call, such as "K_fallback_in(M, N, workspace)". */
const char *sq_function_call_fallback(const sq_printer *p, const char *suffix, sq_listed which,
                                   const char *last);

/* returned.c: returns the one scalar that the loops change, if no array may be at its place; NULL: there is none. */
const sq_array *sq_function_returned(const sq_printer *p);

/* accepts.c: true if there is text for sizes that violate an assume(). */
bool sq_accepts_fallback(const sq_kernel *k);
/* Returns the sizes that this text is for, or a superset if all of the text runs at some of them. __isl_give */
isl_set *sq_accepts_left(const sq_kernel *k);
/* Append the check at entry (false if there is nothing to check), and K_accepts. */
bool sq_accepts_check(const sq_printer *p, sq_text *to);
void sq_accepts_print(const sq_printer *p, bool check, sq_text *to);

/* workspace.c: appends the helpers that precede the nest. */
void sq_workspace_helpers(const sq_printer *p, sq_text *to);
/* Allocates a temporary in the workspace: appends its pointer to p->memory, its bytes to p->bytes. */
void sq_workspace_take(sq_printer *p, const sq_array *a);
/* True if the kernel uses the workspace. */
bool sq_workspace_any(const sq_printer *p);
/* Returns the bytes of a call as C text: a number, or a call of the function that sq_workspace_bytes() prints. */
const char *sq_workspace_count(const sq_printer *p, const char *threads);
void sq_workspace_bytes(sq_printer *p, sq_text *to);
/* Appends K_workspace; on: K_on_workspace, for a number of threads of the caller. */
void sq_workspace_print(const sq_printer *p, bool check, const char *linkage, bool on, sq_text *to);

/* The number of concurrent calls whose blocks K keeps, and the largest block that it keeps: SQ_POOL_MOST bytes, and as
 * many again for each thread that has panels of its own. The panels of a
 * model's choice do not exceed it (SQ_PANELS_FITTED in tuner/model/draft.h). */
enum { SQ_POOL_PLACES = 16, SQ_POOL_MOST = 16 << 20 };
/* block_pool.c: append the functions that keep memory between calls, and a call with a block of `bytes` bytes, whose
 * memory is @block->memory. */
void sq_pool_print(const sq_printer *p, sq_text *to);
void sq_pool_call(const sq_printer *p, const char *bytes, const char *call, sq_text *to);
#endif
