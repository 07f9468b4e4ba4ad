/* Pool: see pool.h. Who has time takes the next number; the last one to be done wakes who waits. */
#include "pool.h"
#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    void (*task)(void *context, int i);
    void *context;
    int next, n, running; /* the next number; how many there are; calls that have not returned */
    int ends, nthreads;
    pthread_t thread[];
};

/* Takes numbers while there are any; the lock is held at the beginning and at the end. */
static void take(pool *p)
{
    while (p->next < p->n) {
        int i = p->next++;
        p->running++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->context, i);
        pthread_mutex_lock(&p->lock);
        p->running--;
    }
    if (p->running == 0)
        pthread_cond_signal(&p->done);
}

static void *work(void *of)
{
    pool *p = of;
    pthread_mutex_lock(&p->lock);
    while (!p->ends) {
        take(p);
        pthread_cond_wait(&p->work, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

pool *pool_new(int threads)
{
    pool *p = calloc(1, sizeof *p + (size_t)threads * sizeof *p->thread);
    if (!p)
        return NULL;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    for (int i = 1; i < threads; i++) {
        if (pthread_create(&p->thread[p->nthreads], NULL, work, p)) {
            pool_free(p);
            return NULL;
        }
        p->nthreads++;
    }
    return p;
}

void pool_free(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->ends = 1;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->nthreads; i++)
        pthread_join(p->thread[i], NULL);
    pthread_cond_destroy(&p->work);
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
    free(p);
}

void pool_run(void *of, void (*task)(void *context, int i), void *context, int n)
{
    pool *p = of;
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->context = context;
    p->next = 0;
    p->n = n;
    pthread_cond_broadcast(&p->work);
    take(p);
    while (p->running > 0)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
