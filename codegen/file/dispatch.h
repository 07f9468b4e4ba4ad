/* Dispatch: one file with code for several targets, which selects the best one that the processor supports. For a
 * kernel K and the targets avx2 and generic, the file is:
 *
 *     #if defined(__x86_64__)
 *     static void K_avx2(...)            and K_avx2_in, K_avx2_workspace: a section for each target
 *     #endif
 *     static void K_generic(...)
 *     ...                                selects the target, once per file
 *     void K(...)                        calls the selected one; K_in, K_workspace, K_accepts, K_isa
 *
 * Which functions a file has depends on the kernel and on the list of targets alone. */
#ifndef SQ_CODEGEN_FILE_DISPATCH_H
#define SQ_CODEGEN_FILE_DISPATCH_H
#include "codegen/emit.h"

enum { SQ_MOST_TARGETS = 8 };

typedef struct sq_dispatch {
    int n;
    const sq_target *target[SQ_MOST_TARGETS]; /* best first; the last one runs everywhere */
    const char *first; /* first function of the file: prefix of shared names */
    const char *api;   /* as sq_emit_options has it */
    bool tasks;        /* parallel loops use threads of the caller: there is K_on */
    bool has_codes;    /* as sq_emit_options has it */
    bool is_local;     /* all functions of K are static */
    bool is_named;     /* other files may call K_avx2 and the functions of other targets */
} sq_dispatch;

/* Sorts n targets, all different, into the order of sq_dispatch.target. */
void sq_dispatch_sort(const sq_target **target, int n);
/* Returns the name of a target's function, such as "gemm_avx2", in the arena. */
const char *sq_dispatch_name(const char *function, const sq_target *t, sq_arena *arena);
/* Append the condition and the heading around a target's section. */
void sq_dispatch_begin(const sq_target *t, sq_text *to);
void sq_dispatch_end(const sq_target *t, sq_text *to);
/* Appends the selection of the target, after the sections. */
void sq_dispatch_choice(const sq_dispatch *x, sq_text *to);
/* Appends K, named `function`, and its other entry points. has_header: the file includes a header that declares
 * them. */
void sq_dispatch_kernel(const sq_dispatch *x, const sq_kernel *k, const char *function,
                        bool has_header, sq_text *to);
/* Appends declarations for the header: K_isa and, with is_named, the functions of each target. */
void sq_dispatch_declare(const sq_dispatch *x, const sq_kernel *k, const char *function,
                         sq_text *to);
#endif
