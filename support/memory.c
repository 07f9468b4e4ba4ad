/* Memory: see memory.h. */
#include "support/memory.h"
#include <stdint.h>
#include <stdlib.h>

void *sq_allocated(void *p)
{
    if (!p)
        abort();
    return p;
}

void *sq_grown(void *p, size_t n, size_t *room, size_t element_bytes)
{
    enum { FIRST = 64 };
    if (n < *room)
        return p;
    *room = *room ? 2 * *room : FIRST;
    if (*room > SIZE_MAX / element_bytes)
        abort();
    return sq_allocated(realloc(p, *room * element_bytes));
}
