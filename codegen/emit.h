/* Emit: schedule -> nest -> text. The interface of this room.
 * What the text is follows from the target (codegen/isa/target.h). */
#ifndef SQ_CODEGEN_EMIT_H
#define SQ_CODEGEN_EMIT_H
#include "codegen/isa/target.h"
#include "ir/machine/machine.h"

/* What a grid runs for some statements of a kernel. */
typedef struct sq_compiled_kernel {
    const char *name, *stmts; /* "gemm_kernel0", "S0, S1" */
    const char *blocks;       /* C of the sizes, the most there are: "tiles(0, M, 128)" */
    int threads;              /* of a block */
    int64_t shared_bytes;
    bool loops; /* it has some; else its statements have a point each */
} sq_compiled_kernel;

/* How the statements of a kernel are computed: filled while its text is written. */
typedef struct sq_compiled {
    int n;
    struct {
        const char *stmt;
        int lanes;     /* of its widest vectors; 0: one point at a time everywhere */
        bool overlaps; /* the last vectors compute points of those before once more */
    } * of;
    int nlaunches;
    const sq_compiled_kernel
        *launch; /* of a target with a grid, in the order written; lasts as the kernel */
} sq_compiled;

/* What a call takes beside its arguments: filled while text for a processor is written. */
typedef struct sq_memory {
    int64_t panels;      /* bytes, for all threads together */
    int64_t each_thread; /* bytes for each thread */
    bool temporaries;    /* and those whose bytes follow from the sizes */
    bool fallback;       /* and some where sizes break an assumption */
} sq_memory;
/* True if it is known that they take none. */
bool sq_memory_none(const sq_memory *m);
/* What calls take where one of several functions does it: the comment of the header holds for all. */
void sq_memory_join(sq_memory *all, const sq_memory *one, bool first);

/* Of functions in a file that others include, and of which they may call some. */
#define SQ_LOCAL_LINKAGE "static __attribute__((unused)) "

/* Whether a shared library shows the emitted functions. */
typedef enum sq_visibility {
    SQ_VISIBILITY_FLAGS, /* as the compiler's flags say */
    SQ_VISIBILITY_DEFAULT,
    SQ_VISIBILITY_HIDDEN
} sq_visibility;
/* "hidden"; NULL of what the flags say. */
const char *sq_visibility_word(sq_visibility v);
/* The definition of the macro; nothing without one. */
void sq_visibility_define(const char *api, sq_visibility v, sq_text *to);
/* The macro and a blank; nothing without one. */
void sq_visibility_put(const char *api, sq_text *to);

/* Text of a header, for functions that are not those of K: types, and behind K's prototypes others. */
typedef struct sq_declared {
    const char *types, *prototypes;
} sq_declared;

typedef struct sq_emit_options {
    const sq_target *target;
    bool openmp;            /* threads share loops: with the pragmas of OpenMP */
    bool tasks;             /* openmp: they are the caller's (K_on) instead */
    const char *provenance; /* comment lines for the head of the file, without comment signs */
    const char *header;     /* name to #include, or NULL: the source declares its function itself */
    const char *described; /* of a header: lines that say what the kernel computes; or NULL */
    const char *abi; /* of a header: its macros of the ABI's version begin so; NULL: it has none */
    const char *api; /* "SQUALL_GEMM_API", in front of the declarations that other files see; NULL: nothing is */
    sq_visibility visibility; /* what it is defined as; SQ_VISIBILITY_FLAGS: it is not defined here */
    const char *function; /* name of the emitted function; NULL: the kernel's */
    const char *helpers;  /* prefix of helpers' names; NULL: the function's name and "_" */
    bool is_static;       /* static linkage: for harnesses that paste several together */
    bool is_local;        /* the same of all functions that belong to the kernel: is_static leaves
                               those out that only a program's own files call */
    bool is_section;      /* of a file for several targets (codegen/file/dispatch.h), which asks the
                        compiler itself whether it is for the section's processor */
    const struct sq_dispatch *dispatch; /* what the header is of; NULL: of a file for one target */
    const struct sq_ways *ways; /* of the header's kernel (codegen/file/ways.h); NULL: it has one schedule */
    bool is_promised; /* every call keeps what assume() says: no text for others */
    bool is_untested; /* without the self-test of a file for a device: the loops as described take
                         longest to write */
    bool is_marked;   /* before each store of a statement's value a line of its own, "//= S0", for readers of
                         the text that take these lines out again: the rest is the same */
    bool is_fallback; /* the version of a kernel for sizes that break its assumptions */
    bool eager;       /* threads share loops however short: for tests of what they do */
    bool is_verified; /* code is verified before it is printed; debug builds always do */
    struct sq_pass_time *pass_times; /* of codegen/passes/passes.h, to be added to; or NULL */
    bool is_freestanding; /* nothing of a hosted C library: no memory but the caller's, so no K where it takes some;
                             only memcpy, memset and the square root may be called */
    const sq_declared *more; /* of a header: what else it declares; or NULL */
    bool may_fail; /* K is `int K` where it needs memory: 1 if there is none, nothing is done */
    bool is_embedded; /* in a file of somebody else, whose names may be those of C's library: what the text wants of
                         that, compilers have built in, and of its headers it includes <stdint.h> and <math.h> */
    bool has_ints;    /* is_embedded: the file declares what <stdint.h> would */
    bool has_codes;        /* K is `int K` in any case: 0, or one of SQUALL_ERROR_..., and nothing is done */
    sq_compiled *compiled; /* to be filled, or NULL */
    sq_memory *memory;     /* the same; sq_emit_header reads it */
    bool *tests_sizes;     /* the same: the text has a test of the sizes, `sq_fits` with the prefix of helpers */
} sq_emit_options;

/* The C source of one scheduled kernel; helper functions are static and prefixed with the
 * function's name, so that several files (or several kernels in one) never conflict. -1 with an error
 * added. */
int sq_emit_source(const sq_schedule *s, const sq_emit_options *o, sq_text *to, sq_diags *d);
/* The header: prototype with `extern "C"` guard, constants of fixed sizes. */
int sq_emit_header(const sq_kernel *k, const sq_emit_options *o, const char *guard, sq_text *to);

/* The naive nest: every statement in textual order, every instance in written order, reductions
 * summed in double (under strict in their own type), scalar code without any transform. What
 * everything is compared with. Self-contained C. */
int sq_emit_naive(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* The same with pragmas: OpenMP's threads, where the compiler knows them, share the outermost loops of statements whose
 * elements do not depend on each other. */
int sq_emit_naive_threads(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* The same as a person would write it at first: in the kernel's own types, one sum at a time. What
 * `squall bench` calls "plain loops". */
int sq_emit_plain(const sq_kernel *k, const char *function, sq_text *to, sq_diags *d);
/* The C type of a parameter's value, or of an array's elements, as functions inside of the text take it. */
const char *sq_param_ctype(const sq_param *q);
/* `void <entry>(void *const *arg)`: calls `function` with arg[p] pointing to parameter p's value
 * (sizes, scalars) or being the array itself, p counting the kernel's parameters in the order of its list,
 * fixed sizes included but ignored. The one wrapper of every harness, for C; a target's own is
 * target->language->entry. */
void sq_emit_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
/* True if what the kernel writes may overlap its other arrays. */
bool sq_emit_may_overlap(const sq_kernel *k);
/* What the kernel's arrays are, a line a role: margin, "   reads   A[M][K], B[K][N]". */
void sq_emit_roles(const sq_kernel *k, const char *margin, sq_text *to);
/* The sizes among them, fixed ones left out; as C++ takes it too for a header. */
void sq_emit_sizes(const sq_kernel *k, bool for_cpp, sq_text *to);
/* The same of all parameters. */
void sq_emit_params_for(const sq_kernel *k, bool for_cpp, sq_text *to);
/* One parameter; a name with underscores behind, if it needs them, until no parameter has it. foreign: among what a
 * caller's program has included, in C or in C++. */
void sq_emit_param(const sq_kernel *k, const sq_param *p, bool foreign, sq_text *to);
void sq_emit_name(const sq_kernel *k, const char *name, bool needs, sq_text *to);
/* C's text with the kernel's parameters under the names that they have in a header. */
void sq_emit_renamed(const sq_kernel *k, const char *text, sq_text *to);
/* False if a list of the parameters, or of the sizes among them, is "void". */
bool sq_emit_has_params(const sq_kernel *k, bool only_sizes);
/* The parameter list as C text: "int M, int N, const float *A, float *C". */
void sq_emit_params(const sq_kernel *k, sq_text *to);
/* The same of a function that computes with the sizes: size_t, which would wrap around below 0, is int64_t there. */
void sq_emit_params_inside(const sq_kernel *k, sq_text *to);

/* For --dump=lower: the loop tree. -1 with an error added. */
int sq_nest_dump(const sq_schedule *s, sq_text *to, sq_diags *d);
/* For --dump=code: what of the schedule is code, for o's target, after the first passes of their table
 * (codegen/passes/passes.h). -1 with an error added. */
int sq_code_dump(const sq_schedule *s, const sq_emit_options *o, int npasses, sq_text *to,
                 sq_diags *d);
/* Values that a vector of a group's points has at most on a target with a grid; 1: it has none. */
int sq_emit_grid_lanes(const sq_group *g, const sq_target *t);
#endif
