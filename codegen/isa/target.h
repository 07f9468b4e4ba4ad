/* Target: what text can be emitted for, a row each. A row carries everything that the rest of the
 * program asks of a target; nothing compares names. */
#ifndef SQ_CODEGEN_ISA_TARGET_H
#define SQ_CODEGEN_ISA_TARGET_H
#include "ir/schedule/schedule.h"
#include "support/text.h"

struct sq_emit_options; /* codegen/emit.h */
struct sq_isa;          /* codegen/isa/isa.h */

/* What stands for products and quotients of f32 and f64 that no compiler joins with a sum. Sums
 * stay operators: with a product that is none they are not joined. */
typedef struct sq_rounded {
    const char *mul[2], *div[2]; /* "__fmul_rn", "__dmul_rn" */
} sq_rounded;

/* What emitted text is written in: what it depends on beyond the vector operations, and who writes
 * it. */
typedef struct sq_language {
    bool extension;     /* the compilers' vector extension: operators, casts and lanes of vectors;
                       without it vectors have the operators of vector.h on floating types, and a
                       load says whether its address is aligned */
    bool fresh;         /* SQ_FRESH keeps the compiler from what it should not do */
    bool unrolls;       /* loops are unrolled by a pragma, as many iterations in a row as it says */
    const char *unroll; /* what stands before a loop that is to be unrolled: the macro of all its
                           iterations, or NULL for that pragma */
    const char *restricted;    /* "restrict" */
    const char *suffix;        /* of files: ".c" */
    const sq_rounded *rounded; /* under fp strict; NULL: pragmas do it, see strict.h */
    /* the text of a scheduled kernel, and of the header that declares it: see emit.h */
    int (*source)(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
    int (*header)(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                  sq_text *to);
    /* behind the source of `function`: sq_emit_entry's wrapper, arrays in the host's memory */
    void (*entry)(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
} sq_language;
extern const sq_language sq_language_c, sq_language_cuda;
extern const sq_rounded sq_cuda_rounded;

/* Of a target whose kernels run as a grid of blocks of threads. */
typedef struct sq_grid {
    const char *arch;     /* "sm_80" */
    int threads;          /* of a block at most */
    int shared_bytes;     /* that a block may have */
    int registers;        /* of 4 bytes, that a block may have */
    int thread_registers; /* that one of its threads may have */
    int fma_f32, fma_f64; /* multiply-adds of a multiprocessor in one cycle */
    int fma_f16;          /* the same by matrix instructions; of bytes twice as many */
    bool warpgroups;      /* four warps have matrix instructions together (wgmma) */
} sq_grid;

typedef struct sq_target {
    const char *name; /* "avx512" */
    const char *doc;
    const char *machine; /* the class it is for, whose processors run it */
    bool (*runs)(void);  /* true if this processor of the class has it, too; NULL: all have */
    const char *less;    /* the target without what this one has more than its class; NULL: none */
    int vector_bytes;    /* native width; a schedule's wider vectors are narrowed to it */
    int registers;
    const sq_language *language;
    const sq_grid *grid;      /* NULL: a processor */
    const struct sq_isa *isa; /* vector operations that have text of their own here */
    const char *cflags; /* what a compiler needs for it: "-mavx512f -mavx512vl -mavx512dq -mfma" */
    const char *guard;  /* preprocessor condition of a compiler that has it, or "" */
    const char *attribute; /* of functions, so that the text needs no flags: "avx2,fma", or "" */
    const char *macro;     /* defined by a compiler whose flags have it: "__AVX2__", or "" */
    int rank;         /* of several that a processor has, the one of the highest rank is the best */
    const char *test; /* C: has the processor it, asked by a file for several targets, where '@' is
                         the prefix of codegen/file/dispatch.c's helpers; "": where the guard holds */
    const char *emulator; /* Debian program that runs it elsewhere: "qemu-aarch64", or "" */
    const char *cross;    /* prefix of a cross compiler, "aarch64-linux-gnu-", or "" */
} sq_target;

extern const sq_target sq_targets[]; /* ended by a NULL name; the first is portable C */
/* The one of this name; `c` is the portable one. NULL if there is none. */
const sq_target *sq_target_get(const char *name);
/* The one of this name for an architecture: "cuda", "sm_90". */
const sq_target *sq_target_arch(const char *name, const char *arch);
/* The best of those that this processor runs. */
const sq_target *sq_target_host(void);
bool sq_target_runs_here(const sq_target *t);

/* CUDA: the same. */
int sq_cuda_source(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
int sq_cuda_header(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                   sq_text *to);
void sq_cuda_entry(const sq_kernel *k, const char *function, const char *entry, sq_text *to);
/* True if the target has the products of words that the statement adds up, or it adds up none; the same of all
 * statements. */
bool sq_target_has(const sq_target *t, const sq_stmt *s);
bool sq_target_has_all(const sq_target *t, const sq_schedule *s);
/* Checks that the target can express the schedule: it has the kinds of loops that are used, and
 * enough blocks and threads. -1 after adding an error. */
int sq_target_takes(const sq_target *t, const sq_schedule *s, sq_diags *d);

/* C with OpenMP: `source` and `header` of that language. */
int sq_c_source(const sq_schedule *s, const struct sq_emit_options *o, sq_text *to, sq_diags *d);
int sq_c_header(const sq_kernel *k, const struct sq_emit_options *o, const char *guard,
                sq_text *to);
#endif
