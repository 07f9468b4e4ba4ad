/* Function, inside: what the files that print the functions of an emitted file share.
 *
 *     function.c   the functions, their parameter lists, the way in
 *     accepts.c    the sizes they are for          workspace.c  the memory of a call
 *     block_pool.c the memory that K keeps */
#ifndef SQ_CODEGEN_FILE_FUNCTION_INSIDE_H
#define SQ_CODEGEN_FILE_FUNCTION_INSIDE_H
#include "codegen/file/function.h"

typedef enum sq_listed { SQ_LIST_SIZES, SQ_LIST_ALL } sq_listed;

/* How parameters are listed: sizes are int64_t in all functions but those that callers see. */
typedef enum sq_list_form {
    SQ_LIST_DECLARED, /* with types, of a function inside */
    SQ_LIST_COMPUTING, /* the same of one in C that uses the arrays: restrict, unless they may overlap */
    SQ_LIST_INSIDE,   /* as arguments of one */
    SQ_LIST_PASSED    /* as arguments of a function that callers see, in another one */
} sq_list_form;

/* "static " or nothing, of the functions that callers see. */
const char *sq_function_linkage(const sq_emit_options *o);
/* `last`: what follows, or NULL. */
void sq_function_list(const sq_kernel *k, sq_listed which, sq_list_form form, const char *last, sq_text *to);
/* "(void)N;" for those that are not among the names of the body; NULL: it names none. */
void sq_function_unused(const sq_kernel *k, sq_listed which, const sq_code_keys *names, sq_text *to);
/* Strides that are variables, of those that the text that follows names: p->uses. */
void sq_function_strides(const sq_printer *p, sq_text *to);
/* Products of sizes, of those that the text that follows names, to which their factors are added. fits: of sizes that
 * were tested; others may be too large for any memory, and what is counted with them stays so. */
void sq_function_products(const sq_printer *p, const sq_uses *uses, bool fits, sq_text *to);
/* A function of the sizes, and of `last` unless that is NULL, whose body was printed to `inner`,
 * which it takes; names: those of the body. */
void sq_function_of_sizes(const sq_kernel *k, const char *head, const char *last, const sq_code_keys *names,
                          sq_text *inner, sq_text *to);
/* "if (!fits(M, N))" and what is done then; nothing without a check. */
void sq_function_unfit(const sq_printer *p, bool check, const char *then, sq_text *to);
/* "K_fallback_in(M, N, workspace)" */
const char *sq_function_call_fallback(const sq_printer *p, const char *suffix, sq_listed which,
                                   const char *last);

/* accepts.c: true if there is text for sizes that break an assume(). */
bool sq_accepts_fallback(const sq_kernel *k);
/* The sizes that this text is for, or somewhat more where all of the text runs at some of them. __isl_give */
isl_set *sq_accepts_left(const sq_kernel *k);
/* The check at entry; false if there is nothing to check. K_accepts. */
bool sq_accepts_check(const sq_printer *p, sq_text *to);
void sq_accepts_print(const sq_printer *p, bool check, sq_text *to);

/* workspace.c: helpers that stand before the nest; what counts the bytes; K_workspace. */
void sq_workspace_helpers(const sq_printer *p, sq_text *to);
/* Puts a temporary there: its pointer to p->memory, its bytes to p->bytes. */
void sq_workspace_take(sq_printer *p, const sq_array *a);
/* True if the kernel takes any memory from the workspace. */
bool sq_workspace_any(const sq_printer *p);
/* The bytes of a call, as C text: a number, or a call of what sq_workspace_bytes() prints. */
const char *sq_workspace_count(const sq_printer *p, const char *threads);
void sq_workspace_bytes(sq_printer *p, sq_text *to);
void sq_workspace_print(const sq_printer *p, bool check, const char *linkage, sq_text *to);

/* K_on_workspace: the same for a number of threads of the caller. */
void sq_workspace_print_on(const sq_printer *p, bool check, const char *linkage, sq_text *to);

/* Calls at once whose blocks K keeps, and the largest block that it keeps: SQ_POOL_MOST bytes,
 * and as many again for each thread where threads have panels of their own. The panels of a
 * model's choice do not exceed it (SQ_PANELS_FITTED in tuner/model/draft.h). */
enum { SQ_POOL_PLACES = 16, SQ_POOL_MOST = 16 << 20 };
/* block_pool.c: what keeps memory from call to call; a call in a block of that many bytes, its memory
 * being @block->memory. */
void sq_pool_print(const sq_printer *p, sq_text *to);
void sq_pool_call(const sq_printer *p, const char *bytes, const char *call, sq_text *to);
#endif
