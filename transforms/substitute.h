/* Substitute: a statement's value in the place of every read of what it wrote. The statement
 * disappears with its temporary. Legal where each such read gets its value from one instance, an
 * affine function of the reader's, where what the value reads is not overwritten before the reader
 * runs, and where nothing else reads what the statement wrote: all by exact dataflow. The value
 * keeps the temporary's type, so it is rounded as it was. */
#ifndef SQ_TRANSFORMS_SUBSTITUTE_H
#define SQ_TRANSFORMS_SUBSTITUTE_H
#include "ir/kernel/kernel.h"

/* One read that is replaced: `from` maps the reader's instances to those of the statement. */
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
    const char *why; /* the sentence of a refusal, in k's arena */
} sq_substitution;

/* Finds the reads that the value of `of` would replace. -1 with ->why where it may not. To be freed
 * in any case. */
int sq_substitution_find(sq_substitution *n, const sq_kernel *k, const sq_stmt *of);
/* The same without a word about the value: the reads that get what `of` writes, where each gets it
 * from one instance and nothing else reads it. */
int sq_substitution_find_reads(sq_substitution *n, const sq_kernel *k, const sq_stmt *of);
void sq_substitution_free(sq_substitution *n);
/* A kernel made of `root`, which k is, or was made of, with the value in these places and without
 * the statement: begun, not ended (ir/dependence/rewrite.h). NULL where the dependences of root are not known.
 */
sq_kernel *sq_substitution_make(const sq_substitution *n, const sq_kernel *root);
#endif
