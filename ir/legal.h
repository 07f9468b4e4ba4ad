/* Legal: the parts of sq_schedule_legal; nobody else's business. */
#ifndef SQ_IR_LEGAL_H
#define SQ_IR_LEGAL_H
#include "ir/schedule.h"
#include <stdarg.h>

enum { SQ_MAX_READS = 64 }; /* reads of one statement that are looked at */

/* Sets *why to formatted text in the kernel's arena; returns -1. */
int sq_illegal(const sq_schedule *s, const char **why, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Every dependence respected, and none carried by a parallel loop. 0 legal, -1 with *why. */
int sq_order_legal(const sq_schedule *s, const char **why);
#endif
