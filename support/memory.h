/* Memory: what to do where there is none left, which no caller could do better: the process ends. */
#ifndef SQ_SUPPORT_MEMORY_H
#define SQ_SUPPORT_MEMORY_H
#include <stddef.h>

/* Returns p, which an allocation gave; ends the process if it is NULL. p must be of more than no bytes. */
void *sq_allocated(void *p);

/* Makes room for one more element behind the n that an array has: returns the array, which may have moved, and updates
 * *room, its length in elements. p: from malloc(), or NULL where *room is 0. */
void *sq_grown(void *p, size_t n, size_t *room, size_t element_bytes);
#endif
