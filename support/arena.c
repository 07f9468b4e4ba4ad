/* Arena: a list of blocks, each twice the one before up to a limit, handed out from the front and
 * freed together. Nothing is ever given back singly, which is what makes ownership easy: whoever
 * holds the arena holds everything.
 *
 * Memory is zeroed by calloc when a block is made; blocks are never reused, so it stays zeroed
 * until handed out. */
#include "support/arena.h"
#include "support/text.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20, ALIGN = _Alignof(max_align_t) };

typedef struct block {
    struct block *next;
    size_t used, size;
    _Alignas(ALIGN) unsigned char bytes[];
} block;

struct sq_arena {
    block *first; /* the one that is handed out from */
    size_t next_size;
};

static _Noreturn void out_of_memory(size_t size)
{
    fprintf(stderr, "squall: error: out of memory (%zu bytes asked for)\n", size);
    exit(3);
}

sq_arena *sq_arena_new(void)
{
    sq_arena *arena = calloc(1, sizeof *arena);
    if (!arena)
        out_of_memory(sizeof *arena);
    arena->next_size = FIRST_BLOCK;
    return arena;
}

sq_arena *sq_arena_free(sq_arena *arena)
{
    if (!arena)
        return NULL;
    for (block *b = arena->first, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
    return NULL;
}

/* A block that holds at least `size`, put in front of the others. */
static void grow(sq_arena *arena, size_t size)
{
    size_t want = arena->next_size;
    if (want < size)
        want = size;
    if (want > SIZE_MAX - sizeof(block))
        out_of_memory(size);
    block *b = calloc(1, sizeof *b + want);
    if (!b)
        out_of_memory(size);
    b->size = want;
    b->next = arena->first;
    arena->first = b;
    if (arena->next_size < LARGEST_BLOCK)
        arena->next_size *= 2;
}

void *sq_arena_alloc(sq_arena *arena, size_t size)
{
    if (size > SIZE_MAX - ALIGN)
        out_of_memory(size);
    size = (size + ALIGN - 1) / ALIGN * ALIGN;
    if (size == 0) /* so that two empty objects differ */
        size = ALIGN;
    if (!arena->first || arena->first->size - arena->first->used < size)
        grow(arena, size);
    void *p = arena->first->bytes + arena->first->used;
    arena->first->used += size;
    return p;
}

void *sq_arena_array(sq_arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        out_of_memory(SIZE_MAX);
    return sq_arena_alloc(arena, count * size);
}

void *sq_arena_grow(sq_arena *arena, void *array, int n, int *room, size_t size)
{
    if (n < *room)
        return array;
    *room = 2 * *room + 16;
    void *more = sq_arena_array(arena, (size_t)*room, size);
    if (n)
        memcpy(more, array, (size_t)n * size);
    return more;
}

char *sq_arena_strndup(sq_arena *arena, const char *s, size_t n)
{
    char *copy = sq_arena_alloc(arena, n + 1);
    memcpy(copy, s, n);
    return copy;
}

char *sq_arena_strdup(sq_arena *arena, const char *s)
{
    return sq_arena_strndup(arena, s, strlen(s));
}

/* By way of a text, which knows how to be independent of the locale. */
char *sq_arena_vprintf(sq_arena *arena, const char *format, va_list args)
{
    sq_text t = {0};
    sq_text_vprintf(&t, format, args);
    char *s = sq_arena_strndup(arena, t.s, t.n);
    sq_text_free(&t);
    return s;
}

char *sq_arena_printf(sq_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *s = sq_arena_vprintf(arena, format, args);
    va_end(args);
    return s;
}
