/* Emit: the interface of this room, schedule -> nest -> text. The target (codegen/isa/target.h) determines the
 * language of the text. */
#ifndef SQ_CODEGEN_EMIT_H
#define SQ_CODEGEN_EMIT_H
#include "codegen/isa/target.h"
#include "ir/machine/machine.h"

/* A kernel that a grid runs for some statements of the description. */
typedef struct sq_compiled_kernel {
    const char *name, *stmts; /* "gemm_kernel0", "S0, S1" */
    const char *blocks;       /* an upper bound, as C text of the sizes: "tiles(0, M, 128)" */
    int threads;              /* of a block */
    int64_t shared_bytes;
    bool loops; /* it has loops; otherwise each statement has one point */
} sq_compiled_kernel;

/* How the statements of a kernel are computed; filled while the text is printed. */
typedef struct sq_compiled {
    int n;
    struct {
        const char *stmt;
        int lanes;     /* of its widest vectors; 0: it is scalar */
        bool overlaps; /* the last vectors recompute points of earlier ones */
    } * of;
    int nlaunches;
    const sq_compiled_kernel
        *launch; /* for a target with a grid, in textual order; owned by the kernel */
} sq_compiled;

/* The memory that a call needs besides its arguments; filled while text for a processor is printed. */
typedef struct sq_memory {
    int64_t panels;      /* bytes for all threads together */
    int64_t each_thread; /* bytes for each thread */
    bool temporaries;    /* also temporaries, whose bytes depend on the sizes */
    bool fallback;       /* also memory for sizes that violate an assumption */
} sq_memory;
/* True if calls are known to need none. */
bool sq_memory_none(const sq_memory *m);
/* Combines the needs of several functions one of which serves a call: the comment in the header holds for all. */
void sq_memory_join(sq_memory *all, const sq_memory *one, bool first);

/* Linkage of functions in a file that is included, some of which may not be called. */
#define SQ_LOCAL_LINKAGE "static __attribute__((unused)) "

/* Visibility of the emitted functions in a shared library. */
typedef enum sq_visibility {
    SQ_VISIBILITY_FLAGS, /* as the compiler's flags say */
    SQ_VISIBILITY_DEFAULT,
    SQ_VISIBILITY_HIDDEN
} sq_visibility;
/* Returns the attribute, such as "hidden"; NULL for SQ_VISIBILITY_FLAGS. */
const char *sq_visibility_word(sq_visibility v);
/* Appends the definition of the macro; nothing if api is NULL. */
void sq_visibility_define(const char *api, sq_visibility v, sq_text *to);
/* Appends the macro and a blank; nothing if api is NULL. */
void sq_visibility_put(const char *api, sq_text *to);

/* Further text of a header: types before the prototypes of K, and prototypes after them. */
typedef struct sq_declared {
    const char *types, *prototypes;
} sq_declared;

typedef struct sq_emit_options {
    const sq_target *target;
    bool openmp;            /* parallel loops use OpenMP */
    bool tasks;             /* with openmp: parallel loops use threads of the caller instead (K_on) */
    const char *provenance; /* comment lines for the head of the file, without comment signs */
    const char *header;     /* name to #include, or NULL: the source declares its function itself */
    const char *described; /* of a header: a description of what the kernel computes; or NULL */
    const char *abi; /* of a header: prefix of the macros for the ABI's version; NULL: there are none */
    const char *api; /* macro before declarations that other files see: "SQUALL_GEMM_API"; NULL: none */
    sq_visibility visibility; /* the macro's definition; SQ_VISIBILITY_FLAGS: it is not defined here */
    const char *function; /* name of the emitted function; NULL: the kernel's */
    const char *helpers;  /* prefix of helpers' names; NULL: the function's name and "_" */
    bool is_static;       /* static linkage, for harnesses that combine several kernels in a file */
    bool is_local;        /* the same for all functions of the kernel; is_static omits those that
                               only a program's own files call */
    bool is_section;      /* part of a file for several targets (codegen/file/dispatch.h), which itself
                        tests whether the compiler's target is that of the section */
    const struct sq_dispatch *dispatch; /* of a header for several targets; NULL: for one target */
    const struct sq_ways *ways; /* of the header's kernel (codegen/file/ways.h); NULL: it has one schedule */
    bool is_promised; /* all calls satisfy assume(): no text for others */
    bool is_untested; /* omits the self-test of a file for a device: its naive loops take most of the
                         time of printing */
    bool is_marked;   /* prints a line "//= S0" before each store of a statement's value, for readers of
                         the text that remove these lines; the rest is the same */
    bool is_fallback; /* the version of a kernel for sizes that violate its assumptions */
    bool eager;       /* even short loops are parallel, for tests of threads */
    bool is_verified; /* code is verified before it is printed; debug builds always do */
    struct sq_pass_time *pass_times; /* codegen/passes/passes.h: times are added; or NULL */
    bool is_freestanding; /* uses no hosted C library: memory is the caller's, so there is no K if it needs some;
                             only memcpy, memset and the square root may be called */
    const sq_declared *more; /* of a header: further declarations; or NULL */
    bool may_fail; /* K is `int K` if it needs memory: it returns 1 and does nothing if there is none */
    bool is_embedded; /* in a user's file, whose names may be those of C's library: the text uses built-in functions
                         instead, and includes <stdint.h> and <math.h> only */
    bool shares_pool; /* the memory that K keeps between calls is that of sq_emit_pool's file, which is linked with it,
                         unless K may say that there is none */
    bool has_ints;    /* is_embedded: the file declares the types of <stdint.h> */
    bool has_codes;        /* K always is `int K`: it returns 0, or SQUALL_ERROR_... and does nothing */
    sq_compiled *compiled; /* output, or NULL */
    sq_memory *memory;     /* output, or NULL; input of sq_emit_header */
    bool *tests_sizes;     /* output, or NULL: the text tests the sizes, in `sq_fits` with the prefix of helpers */
} sq_emit_options;

/* Appends the source of one scheduled kernel. Helper functions are static and prefixed with the function's name, so
 * that several files, or several kernels in one, never conflict. Returns -1 after adding an error. */
int sq_emit_source(const sq_schedule *s, const sq_emit_options *o, sq_text *to, sq_diags *d);
/* Appends the file that texts of such a function with shares_pool are linked with. */
void sq_emit_pool(const sq_kernel *k, const char *function, sq_text *to);
/* Appends the header: the prototype in an `extern "C"` guard, and constants for fixed sizes. */
int sq_emit_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to);

/* Appends the naive nest, with which all results are compared: statements in textual order, instances in the order
 * written, reductions accumulated in double (under strict in their own type), scalar code without any transform. It is
 * self-contained C. */
int sq_emit_naive(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* The same with OpenMP pragmas: the outermost loops of statements whose elements do not depend on each other are
 * parallel, if the compiler supports it. */
int sq_emit_naive_threads(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* The same as one would write it by hand: in the kernel's own types, one sum at a time. `squall bench` calls it "plain
 * loops". */
int sq_emit_plain(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* Returns the C type of a parameter's value, or of an array's elements, in internal functions of the text. */
const char *sq_param_ctype(const sq_param *q);
/* Appends `void <entry>(void *const *arg)`, which calls `function`. arg[p] is the array, or points to the value of the
 * size or scalar, that is parameter p in the kernel's list; fixed sizes are counted and ignored. All harnesses use this
 * wrapper for C; that of a target is target->language->entry. */
void sq_emit_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
/* The same for text of a function that may take packed arrays: they are packed in each call, or, after
 * `<entry>_hold(1)`, in the first one. */
void sq_c_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
/* True if an array that the kernel writes may overlap another one. */
bool sq_emit_may_overlap(const sq_kernel *k);
/* Appends the roles of the kernel's arrays, a line each: margin, "   reads   A[M][K], B[K][N]". */
void sq_emit_roles(const sq_kernel *k, const char *margin, sq_text *to);
/* How a parameter list is written. */
typedef enum sq_emit_form {
    SQ_EMIT_PUBLIC,
    SQ_EMIT_FOREIGN, /* valid in C++ too, for a header */
    SQ_EMIT_INSIDE   /* of a function that computes with the sizes: size_t, which would wrap around below 0, becomes
                        int64_t, and packed arrays are as described */
} sq_emit_form;
/* Returns the list of all parameters, or of the sizes that are not fixed: "int M, int N, const float *A, float *C";
 * then `more`, unless it is NULL. */
const char *sq_emit_params(const sq_kernel *k, sq_emit_form form, bool only_sizes, const char *more, sq_arena *arena);
/* Returns a parameter beside these: a type, and a name to which underscores are appended until it is free. */
const char *sq_emit_own(const sq_kernel *k, const char *type, const char *name, sq_arena *arena);
/* Append one parameter, and a name, to which underscores are appended if it needs them until no parameter has it.
 * foreign: it must not conflict with what a caller's program includes, in C or C++. */
void sq_emit_param(const sq_kernel *k, const sq_param *p, bool foreign, sq_text *to);
void sq_emit_name(const sq_kernel *k, const char *name, bool needs, sq_text *to);
/* Appends C text with parameters renamed as in a header. */
void sq_emit_renamed(const sq_kernel *k, const char *text, sq_text *to);
/* False if a list of the parameters, or of the sizes among them, is "void". */
bool sq_emit_has_params(const sq_kernel *k, bool only_sizes);

/* Appends the loop tree, for --dump=lower. Returns -1 after adding an error. */
int sq_nest_dump(const sq_schedule *s, sq_text *to, sq_diags *d);
/* Appends the code of the schedule for o's target after the first npasses rows of the table of passes
 * (codegen/passes/passes.h), for --dump=code. Returns -1 after adding an error. */
int sq_code_dump(const sq_schedule *s, const sq_emit_options *o, int npasses, sq_text *to,
                 sq_diags *d);
/* Returns the largest number of values in a vector of a group's points on a target with a grid; 1: no vectors. */
int sq_emit_grid_lanes(const sq_group *g, const sq_target *t);
#endif
