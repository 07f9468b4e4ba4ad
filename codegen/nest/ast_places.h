/* AST places: isl's loops for statements that follow each other at many constant places of a schedule. isl compares
 * all statements of a loop with each other to find their order, n^2 comparisons that cost more than the loops; of
 * constants the order is known, and the loops of each place are generated alone. */
#ifndef SQ_CODEGEN_NEST_AST_PLACES_H
#define SQ_CODEGEN_NEST_AST_PLACES_H
#include <isl/ast_build.h>
#include <isl/union_map.h>

/* As isl_ast_build_node_from_schedule_map, but that a node may stand for a sequence of nodes. __isl_give */
isl_ast_node *sq_ast_places(isl_ast_build *build /* __isl_take */, isl_union_map *schedule /* __isl_take */);
/* Returns the sequence that a node stands for, or NULL. __isl_give */
isl_ast_node_list *sq_ast_sequence(isl_ast_node *node /* __isl_keep */);
#endif
