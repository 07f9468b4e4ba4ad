/* Pool: threads that wait for work, as programs with work of many kinds have. */
#ifndef POOL_H
#define POOL_H

typedef struct pool pool;

/* Starts threads - 1 threads: the one that runs work is the last. NULL where that fails. */
pool *pool_new(int threads);
void pool_free(pool *p);
/* Calls task(context, i) for i from 0 to n - 1, on any of the threads, and returns when all calls have. One at a time. */
void pool_run(void *pool, void (*task)(void *context, int i), void *context, int n);

#endif
