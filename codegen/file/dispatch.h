/* Dispatch: one file with the text of several targets, and what takes the best of them that the
 * processor has. The file is, for a kernel K and the targets avx2 and generic:
 *
 *     #if defined(__x86_64__)
 *     static void K_avx2(...)            and K_avx2_in, K_avx2_workspace: a section for each target
 *     #endif
 *     static void K_generic(...)
 *     ...                                which target this processor has: once a file
 *     void K(...)                        calls the one; K_in, K_workspace, K_accepts, K_isa
 *
 * Which functions a file has depends on the kernel and on the list of targets alone. */
#ifndef SQ_CODEGEN_FILE_DISPATCH_H
#define SQ_CODEGEN_FILE_DISPATCH_H
#include "codegen/emit.h"

enum { SQ_MOST_TARGETS = 8 };

typedef struct sq_dispatch {
    int n;
    const sq_target *target[SQ_MOST_TARGETS]; /* best first; the last one runs everywhere */
    const char *first; /* of the file's functions: names of what they share begin with it */
    const char *api;   /* as sq_emit_options has it */
    bool tasks;        /* threads of the caller share loops: there is K_on */
    bool has_codes;    /* as sq_emit_options has it */
    bool is_local;     /* K and what belongs to it are static */
    bool is_named;     /* K_avx2 and the like may be called from other files */
} sq_dispatch;

/* Sorts n targets, all different, into the order of sq_dispatch.target. */
void sq_dispatch_sort(const sq_target **target, int n);
/* "gemm_avx2": the function of a target, in the arena. */
const char *sq_dispatch_name(const char *function, const sq_target *t, sq_arena *arena);
/* Comment lines at the head of the file. */
void sq_dispatch_head(const char *provenance, sq_text *to);
/* The condition and the heading around a target's section. */
void sq_dispatch_begin(const sq_target *t, sq_text *to);
void sq_dispatch_end(const sq_target *t, sq_text *to);
/* Which target is used, behind the sections. */
void sq_dispatch_choice(const sq_dispatch *x, sq_text *to);
/* K, called `function`, and what belongs to it. has_header: a header that the file includes declares
 * them. */
void sq_dispatch_kernel(const sq_dispatch *x, const sq_kernel *k, const char *function,
                        bool has_header, sq_text *to);
/* For the header: K_isa, and the functions of each target where they have names. */
void sq_dispatch_declare(const sq_dispatch *x, const sq_kernel *k, const char *function,
                         sq_text *to);
#endif
