/* Tree text, inside: isl's loops of a tree as text, shared by tree_text.c, which prints them as C,
 * and cuda_tree.c, which parts them between host and device. */
#ifndef SQ_CODEGEN_TREE_INSIDE_H
#define SQ_CODEGEN_TREE_INSIDE_H
#include "codegen/tree_text.h"
#include <isl/ast.h>

typedef struct sq_tree_printer {
    sq_printer *p;
    const sq_kernel *k;
    const sq_group *g;
    sq_scan scan;           /* scan.to is where the text goes */
    const sq_member *next;  /* marked: of the loop that comes now; NULL inside it */
    bool threads;           /* inside a parallel loop */
    const sq_stmt *refused; /* a reduction whose loops cannot be written down: the text is void */
} sq_tree_printer;

/* The loops of the printer's group, marks in them: of a parallel member its sq_member, and one with
 * NULL inside its loop. NULL with an error added. __isl_give */
isl_ast_node *sq_tree_loops(sq_tree_printer *w, sq_diags *d);
/* Appends a node's text. */
void sq_tree_put(sq_tree_printer *w, isl_ast_node *node /* __isl_keep */);
/* "for (…) {", or a block with a constant where it has one iteration. */
void sq_tree_header(sq_tree_printer *w, isl_ast_node *node, const sq_member *m);
/* One past the last value of a loop; NULL where its condition is no upper bound. */
const char *sq_tree_end(sq_tree_printer *w, isl_ast_node *node);
/* The body of a parallel loop, after its own copies of the temporaries in it, which hide those around. */
void sq_tree_body(sq_tree_printer *w, const sq_member *m, isl_ast_node *node /* __isl_keep */);
#endif
