/* Legal: the parts of sq_schedule_legal; private to the files that implement it. */
#ifndef SQ_IR_DEPENDENCE_LEGAL_H
#define SQ_IR_DEPENDENCE_LEGAL_H
#include "ir/schedule/schedule.h"
#include <stdarg.h>

/* Sets *why to formatted text in the kernel's arena; returns -1. */
int sq_illegal(const sq_schedule *s, const char **why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the number of loops, or of textual time components, of the group that has most. */
int sq_time_depth(const sq_schedule *s);
/* Returns { instance -> [value of loop l] } of a statement of g, for all integer points.
 * __isl_give */
isl_map *sq_loop_time(const sq_schedule *s, const sq_group *g, const sq_stmt *stmt, bool update,
                      int l);
/* Returns { instance -> [loops…, padding to depth, statement] } of g->stmt[index]. __isl_give */
isl_map *sq_group_time(const sq_schedule *s, const sq_group *g, int index, bool update, int depth);

/* Checks the kinds of the loops, and the loops inside the tile. 0 legal, -1 with *why. */
int sq_loop_kinds_legal(const sq_schedule *s, const sq_group *g, const char **why);
/* Checks that the threads of a block can make the copy cooperatively. 0 legal, also for a copy that
 * is not shared; -1 with *why. */
int sq_share_legal(const sq_schedule *s, const sq_group *g, const sq_pack *p, const char **why);
/* Checks that the pack of a prepacked array serves all that reads it. 0 legal; -1 with *why. */
int sq_packed_legal(const sq_schedule *s, const sq_group *g, const sq_pack *p, const char **why);
/* Checks the loops that the group shares with others. 0 legal, -1 with *why. */
int sq_fusion_legal(const sq_schedule *s, int group, const char **why);
/* Checks that all dependences are respected, and none is carried by a parallel loop. 0 legal, -1
 * with *why. */
int sq_order_legal(const sq_schedule *s, const char **why);
#endif
