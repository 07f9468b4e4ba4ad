/* Bindings: declarations of emitted functions in other languages, and wrappers that check the lengths of
 * arrays against the shapes of the description. */
#ifndef SQ_CODEGEN_FILE_BINDINGS_H
#define SQ_CODEGEN_FILE_BINDINGS_H
#include "ir/kernel/kernel.h"
#include "support/text.h"

/* A kernel and the name of its function, which --prefix may have made longer. */
typedef struct sq_bound {
    const sq_kernel *k;
    const char *function;
} sq_bound;

/* A language: one file each, and a row in bindings.c. */
typedef struct sq_binding {
    const char *name, *suffix;
    const char *comment;      /* what begins a line of comment */
    const char *const *words; /* that it keeps for itself; ends with NULL */
    const char *first_floor,
        *mid_floor;    /* of a quotient towards minus infinity: "(", a, ").div_euclid(", b, ")" */
    const char *widen; /* format of a size as an integer of 64 bits */
    void (*put)(const struct sq_binding *b, const sq_bound *of, int n, sq_text *to);
} sq_binding;

extern const sq_binding sq_binding_rust, sq_binding_python, sq_binding_cpp;
extern const sq_binding *const sq_binding_rows[]; /* ends with NULL */

/* By the suffix of the path; NULL for another. */
const sq_binding *sq_binding_of(const char *path);
/* The whole file for n kernels. provenance: comment lines for its head, or NULL. */
void sq_binding_print(const sq_binding *b, const char *provenance, const sq_bound *of, int n,
                      sq_text *to);

/* ---- for the languages' files ---- */

/* A name as the language takes it: an underscore for bytes that it does not take, and one behind its own
 * words. */
const char *sq_binding_name(const sq_binding *b, const char *name, sq_arena *arena);
/* True for all but fixed sizes, which have left the signature. */
bool sq_binding_shows(const sq_param *p);
/* How many elements an array has: "(M as i64) * (K as i64)"; "1" without dimensions. */
void sq_binding_elements(const sq_binding *b, const sq_kernel *k, const sq_array *a, sq_text *to);
#endif
