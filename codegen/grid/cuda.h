/* CUDA, inside: the parts of the text of a .cu file. Kernels are lowered by codegen/lower/grid.h and printed with the
 * printers of every target; this room has what only CUDA needs: vectors as structs, kernels and
 * their launches, the functions that a C program calls. */
#ifndef SQ_CODEGEN_GRID_CUDA_H
#define SQ_CODEGEN_GRID_CUDA_H
#include "codegen/emit.h"
#include "codegen/print/printer.h"

enum { SQ_MAX_KERNELS = 128 };

/* One __global__ function and how it is launched. */
typedef struct sq_cuda_kernel {
    const sq_code_launch *launch;
    int threads;
    int64_t shared_bytes;
    bool loops; /* it has loops; else its statements have one instance each */
} sq_cuda_kernel;

typedef struct sq_cuda {
    sq_printer *p;
    const sq_schedule *schedule;
    sq_diags *diags;
    sq_text kernels;          /* the __global__ functions */
    sq_text launch;           /* host: the launches in order */
    sq_code_keys host;        /* what the launches name */
    sq_code_keys of_grid;     /* what the numbers of blocks name that K_grid returns */
    sq_code_keys temporaries; /* local arrays that kernels take */
    sq_cuda_kernel kernel[SQ_MAX_KERNELS];
    int nkernels;
    int shown;   /* number of sizes in the signature */
    bool checks; /* a function tests whether sizes are accepted */
} sq_cuda;

/* cuda_kernel.c: prints a group, and those that share its loops, as kernels and launches; -1 with an error added. */
int sq_cuda_group(sq_cuda *c, int group);
/* cuda_vector.c: prints definitions of the vectors and functions in use: rows of codegen/isa/cuda_vector.c. */
void sq_cuda_vectors(const sq_printer *p, sq_text *to);
/* Returns the schedule that is lowered for a target: loops have the names of the text, and vectors of a grid are no
 * wider than its own, on which numbers of threads depend. */
sq_schedule *sq_cuda_schedule(const sq_schedule *given, const sq_target *t, sq_arena *arena);
/* cuda_strict.c: what is different under fp strict. Returns -1 with an error added if a function's
 * bits depend on the math library. */
int sq_cuda_strict_takes(const sq_kernel *k, sq_diags *d);
/* Printed before the vectors. */
void sq_cuda_strict_begin(sq_text *to);
/* Prints functions of single values; n: the prefix of their names. */
void sq_cuda_strict_functions(const sq_vector *v, const char *n, sq_text *to);
/* cuda_host.c: prints the functions that a C program calls, and their prototypes. */
void sq_cuda_host(sq_cuda *c, sq_text *to);
void sq_cuda_prototypes(const sq_kernel *k, const char *function, const char *api, sq_text *to);
/* Returns the kernel as described, before any transform: the reference for results. */
const sq_kernel *sq_cuda_described(const sq_kernel *k);
/* Returns "K_workspace(M, N)", the bytes that a call takes beside its arrays; "0" if it takes none. */
const char *sq_cuda_workspace(const sq_kernel *k, const char *function, sq_arena *arena);
/* cuda_test.c: prints a test program under SQUALL_SELFTEST. */
void sq_cuda_test(sq_cuda *c, sq_text *to);
#endif
