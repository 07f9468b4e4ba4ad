/* Check text: what `squall check` knows of the text in hand and of the kernels in it. */
#ifndef SQ_CLI_CHECK_TEXT_H
#define SQ_CLI_CHECK_TEXT_H
#include "cli/check_rows.h"
#include "tuner/measure/verify.h"
#include <isl/set.h>
#include <jansson.h>

typedef struct sq_check {
    sq_measure m;
    sq_verify *verify;
    sq_check_rows *rows; /* of every kernel; `n` 0 where none were found */
    json_t *json;
    /* check_variants.c: one of several schedules, or all of them */
    const char *label;           /* "at M=1,N=512", behind the kernel's name; NULL: nothing */
    const sq_check_rows *chosen; /* of every kernel, in place of what its schedule asks for; NULL */
    sq_ways **ways;              /* what the function of every kernel chooses from; NULL: nothing */
    /* the text in hand */
    const char *path; /* NULL: what would be emitted */
    const char *text; /* without what check adds */
    int lines;
    sq_blocks blocks;
    bool is_tried; /* the proof */
    bool *proven;  /* blocks that the compiler left nothing of */
    sq_blocks own; /* of what would be emitted, once it was read */
    bool own_is_tried;
} sq_check;

/* "squall_entry_gemm", and the text behind which the entries of all kernels stand. */
const char *sq_check_entry(sq_check *c, const sq_kernel *k);
/* Adds an error for a verdict that is not right; -1 then, else 0. */
int sq_check_complain(sq_check *c, int kernel, const sq_verdict *v);

/* check_cover.c: what the text is to be proven for: the rows given, else all sizes that the
 * description allows. __isl_give */
isl_set *sq_check_sizes(const sq_check_rows *r);
/* Which blocks of the text in hand ran. Builds it with counters; -1 after adding an error. */
int sq_check_cover_build(sq_check *c);
/* Runs it for a kernel, whose function is `function`, looks for sizes at which more of its blocks
 * run, and puts into `to` what became of them; -1 after adding an error, also where one neither ran
 * nor is proven unreachable. */
int sq_check_cover(sq_check *c, int kernel, const char *entry, const char *function, json_t *to);

/* check_excuse.c: why a block may be there that neither ran nor is proven unreachable; NULL: it may
 * not. root: the kernel's function. */
const char *sq_check_excuse(sq_check *c, int kernel, const char *root, int block);
/* The blocks of what squall would emit itself; NULL: it cannot be read, which is said once. */
const sq_blocks *sq_check_own(sq_check *c);
/* True if the block belongs to an operand that Squall itself would emit in the function of that
 * name. Operands of emitted text are not checked, nor are the same ones in a given text. */
bool sq_check_is_own_operand(sq_check *c, const sq_block *b);
#endif
