/* Leak: detects memory that each call of a function allocates and never frees. What a first call
 * allocates and keeps for later ones does not count. */
#ifndef SQ_RUNTIME_LEAK_H
#define SQ_RUNTIME_LEAK_H
#include <stddef.h>

/* Calls entry(arg) a hundred times. Returns the average number of bytes that a call keeps if memory
 * in use never stops growing, else 0; always 0 if the C library does not report memory in use. */
size_t sq_leak(void (*entry)(void *const *arg), void *const *arg);
/* Returns the bytes allocated by malloc; 0 if the C library does not report it. glibc includes its
 * caches for small requests: sq_leak_exact() disables one of them, before the first malloc, and
 * GLIBC_TUNABLES in the environment the other. */
size_t sq_leak_in_use(void);
extern size_t sq_leak_extra; /* bytes of these that do not count, as they are not the function's */
void sq_leak_exact(void);
#endif
