/* Arena: everything that belongs to one kernel (or one run of the tool) is allocated here and
 * freed at once. Memory is zeroed. Running out of memory ends the process with a message: no
 * caller can do anything better with a kernel of a few kilobytes. */
#ifndef SQ_SUPPORT_ARENA_H
#define SQ_SUPPORT_ARENA_H
#include <stdarg.h>
#include <stddef.h>

typedef struct sq_arena sq_arena;

sq_arena *sq_arena_new(void);
/* Frees the arena and everything in it; NULL is fine. Returns NULL. */
sq_arena *sq_arena_free(sq_arena *arena);

/* Zeroed memory, aligned for any type. size 0 gives a valid pointer. */
void *sq_arena_alloc(sq_arena *arena, size_t size);
/* count * size, checked against overflow. */
void *sq_arena_array(sq_arena *arena, size_t count, size_t size);
/* The array of `n` elements, with room for one more: itself, or a copy with twice the *room. */
void *sq_arena_grow(sq_arena *arena, void *array, int n, int *room, size_t size);
char *sq_arena_strdup(sq_arena *arena, const char *s);
char *sq_arena_strndup(sq_arena *arena, const char *s, size_t n);
char *sq_arena_printf(sq_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *sq_arena_vprintf(sq_arena *arena, const char *format, va_list args);

#define SQ_NEW(arena, type) ((type *)sq_arena_alloc((arena), sizeof(type)))
#define SQ_NEW_ARRAY(arena, type, n) ((type *)sq_arena_array((arena), (size_t)(n), sizeof(type)))
#endif
