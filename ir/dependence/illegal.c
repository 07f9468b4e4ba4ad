/* Illegal: the message for a schedule that is not legal. */
#include "ir/dependence/legal.h"

int sq_illegal(const sq_schedule *s, const char **why, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    *why = sq_arena_vprintf(s->kernel->arena, format, args);
    va_end(args);
    return -1;
}
