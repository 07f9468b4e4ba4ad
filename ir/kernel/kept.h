/* Kept: what isl computed for a kernel, by the text of what it was computed of. Schedules that are tried one
 * after the other differ in the loops of a statement or two, and the other loops and conditions are those of
 * the ones before. Equal text means an equal set, with the same names: isl prints all of it. A kernel shares
 * what is kept with those that are made of it. */
#ifndef SQ_IR_KERNEL_KEPT_H
#define SQ_IR_KERNEL_KEPT_H
#include "ir/kernel/kernel.h"
#include "support/text.h"
#include <isl/ast.h>
#include <isl/set.h>

typedef struct sq_kept sq_kept;

sq_kept *sq_kept_new(void);
void sq_kept_free(sq_kept *x);

/* What was kept under that text; NULL: nothing. __isl_give */
isl_ast_node *sq_kept_node(const sq_kernel *k, const sq_text *of);
isl_ast_expr *sq_kept_expr(const sq_kernel *k, const sq_text *of);
isl_set *sq_kept_set(const sq_kernel *k, const sq_text *of);
/* Keeps it under that text, and returns it. NULL is not kept: isl has exceeded a limit, which may be another one the
 * next time. */
isl_ast_node *sq_keep_node(const sq_kernel *k, const sq_text *of, isl_ast_node *node /* __isl_take */);
isl_ast_expr *sq_keep_expr(const sq_kernel *k, const sq_text *of, isl_ast_expr *expr /* __isl_take */);
isl_set *sq_keep_set(const sq_kernel *k, const sq_text *of, isl_set *set /* __isl_take */);

/* Appends a set, or a schedule, to such a text. */
void sq_kept_put_set(isl_set *set /* __isl_keep */, sq_text *to);
void sq_kept_put_map(isl_union_map *map /* __isl_keep */, sq_text *to);
#endif
