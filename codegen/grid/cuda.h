/* CUDA, inside: the parts of a .cu file's text. Kernels are printed with the printers of every
 * target (print.h, tile.h); what is CUDA's own is here: vectors as structs, kernels and their
 * launches, the functions that a C program calls. */
#ifndef SQ_CODEGEN_GRID_CUDA_H
#define SQ_CODEGEN_GRID_CUDA_H
#include "codegen/emit.h"
#include "codegen/grid/print.h"

enum { SQ_MAX_KERNELS = 128 };

/* One __global__ function and how it is launched. */
typedef struct sq_cuda_kernel {
    const char *stmts;  /* "S0, S1": whose it is */
    const char *blocks; /* C text of the sizes; the most where launches differ */
    int threads;
    int64_t shared_bytes;
    const sq_code_expr *cond; /* of the sizes: it is launched only then; NULL: always */
    bool loops;               /* it has some; else its statements have a point each */
} sq_cuda_kernel;

typedef struct sq_cuda {
    sq_printer *p;
    const sq_schedule *schedule;
    sq_diags *diags;
    const sq_code_expr *cond;      /* of the nest in hand, where it is of the sizes alone; NULL */
    sq_text kernels;               /* the __global__ functions */
    sq_text launch;                /* host: launches in order */
    const char *var[SQ_MAX_LOOPS]; /* of the host's loops around */
    int nvars;
    sq_cuda_kernel kernel[SQ_MAX_KERNELS];
    int nkernels;
    sq_text flops;     /* C expression: " + …" of the sizes */
    bool counted;      /* it is all there is */
    const char *stmts; /* of the group being printed and of those that share its loops */
    bool points;       /* of them the kernel in hand has a point each */
    int shown;         /* sizes in the signature */
    bool checks;       /* there is a function that says whether sizes are accepted */
} sq_cuda;

/* cuda_kernel.c: a group's nests as kernels and launches; -1 with an error added. */
int sq_cuda_group(sq_cuda *c, int group);
/* Ends a kernel whose text stands in the printer's body, with its launch; blocks: their number (C
 * text, of the host's variables, too); `most`: the same of the sizes alone. together: the least
 * number of blocks that a multiprocessor shall have room for; 0: any. memory: declarations before
 * the text. -1 with an error added where there are too many. */
int sq_cuda_kernel_end(sq_cuda *c, const char *blocks, const char *most, int threads, int together,
                       int64_t shared, const sq_text *memory);
/* cuda_tree.c: the same as sq_cuda_group of loops that auto() found. */
int sq_cuda_tree(sq_cuda *c, const sq_group *g);
/* cuda_vector.c: definitions of the vectors and functions in use. */
void sq_cuda_vectors(const sq_printer *p, sq_text *to);
/* The lanes that the tile of a group can have there. */
int sq_cuda_lanes(const sq_group *g, const sq_target *t);
/* cuda_strict.c: what is different under fp strict. -1 with an error added where a function's bits
 * are the library's own. */
int sq_cuda_strict_takes(const sq_kernel *k, sq_diags *d);
/* Before the vectors. */
void sq_cuda_strict_begin(sq_text *to);
/* Functions of single values; n: their names' beginning. */
void sq_cuda_strict_functions(const sq_vector *v, const char *n, sq_text *to);
/* cuda_host.c: the functions that a C program calls, and their prototypes. */
void sq_cuda_host(sq_cuda *c, sq_text *to);
void sq_cuda_prototypes(const sq_kernel *k, const char *function, const char *api, sq_text *to);
/* The kernel as described, before any transform: the reference that results are compared with. */
const sq_kernel *sq_cuda_described(const sq_kernel *k);
/* "K_workspace(M, N)", bytes that a call of it takes beside its arrays; "0" where it takes none. */
void sq_cuda_workspace(const sq_kernel *k, const char *function, sq_text *to);
/* cuda_test.c: a program under SQUALL_SELFTEST. */
void sq_cuda_test(sq_cuda *c, sq_text *to);
#endif
