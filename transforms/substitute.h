/* Substitute: replaces all reads of what a statement wrote by its value. The statement is removed
 * with its temporary. This is legal if each such read gets its value from a single instance, an
 * affine function of the reader's, if what the value reads is not overwritten before the reader
 * runs, and if nothing else reads what the statement wrote: all by exact dataflow. The value keeps
 * the temporary's type, and so its rounding. */
#ifndef SQ_TRANSFORMS_SUBSTITUTE_H
#define SQ_TRANSFORMS_SUBSTITUTE_H
#include "ir/kernel/kernel.h"

/* A read that is replaced: `from` maps the reader's instances to those of the statement. */
typedef struct sq_spot {
    const sq_stmt *reader;
    const sq_access *read;
    bool update; /* the reader's instances are those of its reduction's body */
    isl_multi_aff *from;
} sq_spot;

typedef struct sq_substitution {
    const sq_kernel *k;
    const sq_stmt *of;
    int nspots, room;
    sq_spot *spot;
    const char *why; /* the reason of a refusal, in k's arena */
} sq_substitution;

/* Finds the reads that the value of `of` replaces. -1 with ->why if that is illegal. Must be freed
 * in any case. */
int sq_substitution_find(sq_substitution *n, const sq_kernel *k, const sq_stmt *of);
/* Does the same without checking the value: finds the reads of what `of` writes, each of which must
 * get it from a single instance, if nothing else reads it. */
int sq_substitution_find_reads(sq_substitution *n, const sq_kernel *k, const sq_stmt *of);
void sq_substitution_free(sq_substitution *n);
/* Returns a kernel made of `root`, which is k or k's origin, with the value in these places and
 * without the statement: begun, not ended (ir/dependence/rewrite.h). NULL if the dependences of
 * root are not known. */
sq_kernel *sq_substitution_make(const sq_substitution *n, const sq_kernel *root);
#endif
