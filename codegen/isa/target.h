/* Target: the table of targets that text can be emitted for. A row has all properties that the rest
 * of the program depends on; no code compares names. */
#ifndef SQ_CODEGEN_ISA_TARGET_H
#define SQ_CODEGEN_ISA_TARGET_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

struct sq_emit_options; /* codegen/emit.h */
struct sq_isa;          /* codegen/isa/isa.h */

/* Functions for products and quotients of f32 and f64 that compilers do not contract. Sums stay
 * operators: without an operator for the product there is nothing to contract. */
typedef struct sq_rounded {
    const char *mul[2], *div[2]; /* "__fmul_rn", "__dmul_rn" */
} sq_rounded;

/* The language of the emitted text: what it depends on beyond the vector operations, and the
 * functions that print it. */
typedef struct sq_language {
    /* has the compilers' vector extension: operators, casts and lanes of vectors; without it
     * vectors have the operators of vector.h on floating types, and a load says whether its address
     * is aligned */
    bool extension;
    bool fresh;   /* SQ_FRESH suppresses unwanted optimizations of the compiler */
    bool unrolls; /* loops are unrolled by a pragma with the number of iterations */
    /* printed before a loop that is to be unrolled completely: a macro, or NULL for that pragma */
    const char *unroll;
    const char *restricted;    /* "restrict" */
    const char *suffix;        /* suffix of files: ".c" */
    const sq_rounded *rounded; /* for fp strict; NULL: pragmas are used, see strict.h */
    /* print a scheduled kernel, and the header that declares it: see emit.h */
    int (*source)(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
    int (*header)(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                  sq_text *to);
    /* printed behind the source of `function`: sq_emit_entry's wrapper for arrays in the host's
     * memory */
    void (*entry)(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
} sq_language;
extern const sq_language sq_language_c, sq_language_cuda;
extern const sq_rounded sq_cuda_rounded;

/* Limits of a target whose kernels run as a grid of blocks of threads. */
typedef struct sq_grid {
    const char *arch;     /* "sm_80" */
    int threads;          /* maximum per block */
    int shared_bytes;     /* maximum per block */
    int registers;        /* 4-byte registers, maximum per block */
    int thread_registers; /* maximum per thread */
    int fma_f32, fma_f64; /* multiply-adds of a multiprocessor per cycle */
    int fma_f16;          /* the same by matrix instructions; twice as many for bytes */
    bool warpgroups;      /* has matrix instructions of four warps (wgmma) */
} sq_grid;

typedef struct sq_target {
    const char *name; /* "avx512" */
    const char *doc;
    const char *machine; /* its machine class, whose processors run it */
    bool (*runs)(void);  /* true if this processor of the class can run it; NULL: all can */
    const char *less;    /* the target for the rest of its class; NULL: the whole class runs this one */
    int vector_bytes;    /* native width; a schedule's wider vectors are narrowed to it */
    int registers;
    const sq_language *language;
    const sq_grid *grid;      /* NULL: a CPU */
    const struct sq_isa *isa; /* vector operations with code of their own */
    const char *cflags; /* the compiler's flags for it: "-mavx512f -mavx512vl -mavx512dq -mfma" */
    const char *guard;  /* preprocessor condition that the compiler supports it, or "" */
    const char *attribute; /* attribute of functions, so that the text needs no flags: "avx2,fma", or "" */
    const char *macro;     /* macro that a compiler defines under these flags: "__AVX2__", or "" */
    int rank;         /* a processor that has several targets uses the one of the highest rank */
    /* C expression that the processor has it, for a file for several targets; '@' is the prefix of
     * codegen/file/dispatch.c's helpers; "": true where the guard holds */
    const char *test;
    const char *emulator; /* Debian program that emulates it: "qemu-aarch64", or "" */
    const char *cross;    /* prefix of a cross compiler, "aarch64-linux-gnu-", or "" */
} sq_target;

extern const sq_target sq_targets[]; /* terminated by a NULL name; the first is portable C */
/* Returns the target of this name; `c` is the portable one. NULL if there is none. */
const sq_target *sq_target_get(const char *name);
/* Returns the target of this name for an architecture: "cuda", "sm_90". */
const sq_target *sq_target_arch(const char *name, const char *arch);
/* Returns the best target that this processor runs. */
const sq_target *sq_target_host(void);
bool sq_target_runs_here(const sq_target *t);

/* Does the same for CUDA. */
int sq_cuda_source(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
int sq_cuda_header(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                   sq_text *to);
void sq_cuda_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
/* True if the target has the word products that statements sum up. */
bool sq_target_has_all(const sq_target *t, const sq_schedule *s);
/* Checks that the target supports the loop kinds of the schedule and has enough blocks and threads.
 * -1 with an error added. */
int sq_target_takes(const sq_target *t, const sq_schedule *s, sq_diags *d);

/* C with OpenMP: `source` and `header` of that language. */
int sq_c_source(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
int sq_c_header(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                sq_text *to);
#endif
