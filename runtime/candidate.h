/* Candidate: a kernel in a library of its own, called through its wrapper. One whose arrays are a
 * device's memory (codegen/grid/cuda_wrapper.cu) says itself how long its calls take and what went wrong;
 * the harness knows nothing of the device. */
#ifndef SQ_RUNTIME_CANDIDATE_H
#define SQ_RUNTIME_CANDIDATE_H
#include <stddef.h>

typedef struct sq_candidate {
    void *library;
    const char *path; /* the caller's */
    void (*entry)(void *const *arg);
    const char *(*error)(
        void); /* the harness's reply, NULL if nothing went wrong; NULL: it has none */
    const char *(*memory)(void); /* the same of blocks that it allocated (runtime/memory_guard.c) */
    void (*count)(size_t *extra); /* where that counts what the candidate did not ask for; NULL: it counts nothing */
    /* Of a device; NULL of others. */
    int (*open)(void *const *arg); /* before timing; nonzero: see the error */
    double (*time)(long calls);    /* seconds of one of `calls`; negative: see the error */
    /* Of text that counts; NULL of others. */
    const int *blocks;
    const unsigned char *ran; /* nonzero: that block ran */
} sq_candidate;

/* The function that every candidate has for its entry, unless it is told another name. */
#define SQ_CANDIDATE_ENTRY "squall_entry"

/* 0, or -1 with a sentence in why (at least 200 bytes). */
int sq_candidate_load(sq_candidate *c, const char *path, const char *entry, char *why);
/* Ends the library: nothing of c may be called afterwards. 0, or -1 if it stays all the same. */
int sq_candidate_unload(sq_candidate *c);
#endif
