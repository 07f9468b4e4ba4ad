/* Leak: memory that a function takes from malloc in every call and never gives back. What a first
 * call takes and keeps for those after it is none. */
#ifndef SQ_RUNTIME_LEAK_H
#define SQ_RUNTIME_LEAK_H
#include <stddef.h>

/* Calls entry(arg) a hundred times. Returns the bytes that a call keeps on average, if memory in use
 * never stops growing, else 0; always 0 where the C library does not say what is in use. */
size_t sq_leak(void (*entry)(void *const *arg), void *const *arg);
/* Bytes of malloc's that are in use; 0 where the C library does not say. glibc counts as such what
 * it keeps for small requests: sq_leak_exact() ends one way of it, before the first malloc, and
 * GLIBC_TUNABLES in the environment the other. */
size_t sq_leak_in_use(void);
extern size_t sq_leak_extra; /* bytes of these that are not the function's, and do not count */
void sq_leak_exact(void);
#endif
