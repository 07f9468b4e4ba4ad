/* Candidate: a kernel in a shared library, called through its wrapper. One whose arrays are in a
 * device's memory (codegen/grid/cuda_wrapper.cu) reports itself how long its calls take and what
 * failed; the harness knows nothing of the device. */
#ifndef SQ_RUNTIME_CANDIDATE_H
#define SQ_RUNTIME_CANDIDATE_H
#include <stddef.h>

typedef struct sq_candidate {
    void *library;
    const char *path; /* owned by the caller */
    void (*entry)(void *const *arg);
    const char *(*error)(
        void); /* the harness's reply, NULL if there was no error; NULL: not available */
    const char *(*memory)(
        void); /* the same for blocks that it allocated (runtime/memory_guard.c) */
    /* where it counts memory that the candidate did not request; NULL: not counted */
    void (*count)(size_t *extra);
    /* whether the next calls may use again what an earlier one has packed; NULL: it packs nothing */
    void (*hold)(int on);
    void (*as_written)(
        void *const *arg); /* of a naive nest: see SQ_CANDIDATE_AS_WRITTEN; NULL: none */
    /* For a device; otherwise NULL. */
    int (*open)(void *const *arg); /* before timing; nonzero: see the error */
    double (*time)(long calls);    /* seconds of one of `calls`; negative: see the error */
    /* For text that counts its blocks; otherwise NULL. */
    const int *blocks;
    const unsigned char *ran; /* nonzero: the block ran */
} sq_candidate;

/* The default name of a candidate's entry function. */
#define SQ_CANDIDATE_ENTRY "squall_entry"
/* The naive nest as it stands in the description, in the kernel's own types. */
#define SQ_CANDIDATE_AS_WRITTEN "squall_as_written"

/* Returns 0, or -1 with a sentence in why (at least 200 bytes). */
int sq_candidate_load(sq_candidate *c, const char *path, const char *entry, char *why);
/* Unloads the library: nothing of c may be called afterwards. Returns 0, or -1 if it stays
 * loaded. */
int sq_candidate_unload(sq_candidate *c);
#endif
