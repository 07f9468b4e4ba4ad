/* Bindings: declarations of emitted functions in other languages, and wrappers that check the lengths of
 * arrays against the shapes of the description. */
#ifndef SQ_CODEGEN_FILE_BINDINGS_H
#define SQ_CODEGEN_FILE_BINDINGS_H
#include "codegen/file/ways.h"

/* A kernel and the name of its function, to which --prefix may have been added. */
typedef struct sq_bound_kernel {
    const sq_kernel *k;
    const char *function;
    struct sq_views *views; /* of K_views (codegen/file/views.h); NULL: there is none */
    const sq_ways *ways; /* what it chooses from, where it does; NULL */
    bool has_codes;      /* the function returns a code, 2: there is no memory */
    bool has_isa;        /* it is of a file for several targets, which has K_isa */
    /* filled by sq_binding_print: */
    const struct sq_binding *language;
    const char *name; /* the function's in the language */
    sq_arena *arena;  /* of the file */
} sq_bound_kernel;

/* A language: one file each, and a row in bindings.c. */
typedef struct sq_binding {
    const char *name, *suffix;
    const char *comment;                 /* begins a line comment */
    bool (*is_word)(const char *name);   /* true for a keyword, and for a name that the file defines */
    const char *first_floor, *mid_floor; /* of a quotient towards minus infinity: "(", a,
                                            ").div_euclid(", b, ")" */
    const char *either, *and;     /* "(@ ? 1 : 2)": 1 where the condition @ holds, else 2; "&&" */
    const char *widen;            /* format of a size as an integer of more bits: "i128::from(@)" */
    const char *widen_size_t;     /* the same of a size_t */
    const char *suffix_of_number; /* what makes a number such an integer: "LL" */
    void (*put)(const sq_bound_kernel *of, int n, sq_text *to);
} sq_binding;

extern const sq_binding sq_binding_rust, sq_binding_python, sq_binding_cpp;
extern const sq_binding *const sq_binding_rows[]; /* ends with NULL */

/* Returns the language for the suffix of a path; NULL if there is none. */
const sq_binding *sq_binding_of(const char *path);
/* Appends the whole file for n kernels. provenance: comment lines for its head, or NULL. */
void sq_binding_print(const sq_binding *b, const char *provenance, sq_bound_kernel *of, int n,
                      sq_text *to);

/* ---- for the languages' files ---- */

/* Strings are in the file's arena. Returns a parameter's name in the language: underscores are appended to a keyword
 * until no other parameter has the name. */
const char *sq_binding_name(const sq_bound_kernel *of, const char *name);
/* True if the name is in the list, which ends with NULL. */
bool sq_binding_listed(const char *const *words, const char *name);
/* Returns a parameter as the element of a list; the language defines the meaning of `form`. */
typedef const char *sq_binding_param(const sq_bound_kernel *of, const sq_param *p, int form);
/* Returns the parameters of the function, or only the sizes, separated by commas; more: a last element, or "". */
const char *sq_binding_params(const sq_bound_kernel *of, bool all, sq_binding_param *param, int form,
                              const char *more);
/* The same for K_views: its views and sizes, and with `all` its scalars. */
const char *sq_binding_views(const sq_bound_kernel *of, bool all, sq_binding_param *param, int form,
                             const char *more);
/* The same for the function that packs the array: the sizes, and the array as it is. */
const char *sq_binding_packing(const sq_bound_kernel *of, const sq_array *a, sq_binding_param *param, int form,
                               const char *more);
/* True if the parameter of kernel i of the file is the first view of its type. */
bool sq_binding_is_new(const sq_bound_kernel *of, int i, const sq_param *p);
/* Returns the extents of the array that is parameter p, separated by `between`: "i128::from(M) * i128::from(K)"; ""
 * for a scalar. */
const char *sq_binding_extents(const sq_bound_kernel *of, int p, const char *between);
#endif
