/* Cores: affinity of the process and the environment of OpenMP's threads. */
#include "tuner/measure/cores.h"
#include <stdlib.h>

/* Threads at a barrier spin for some tens of microseconds, then sleep. If they sleep at once, the
 * end of a parallel loop costs more than many loops; if they spin forever, threads that share a
 * core with another process measure that process. */
static void tell_threads(void)
{
    if (!getenv("OMP_WAIT_POLICY")) {
        setenv("GOMP_SPINCOUNT", "10000", 0); /* GCC's */
        setenv("KMP_BLOCKTIME", "1", 0);      /* Clang's: milliseconds */
    }
    setenv("OMP_PROC_BIND", "spread", 0); /* at most one per core */
}

void sq_cores_take(sq_cores *c, int jobs, int threads)
{
    *c = (sq_cores){.timing = -1, .builds = jobs};
    if (threads > 1)
        tell_threads();
    CPU_ZERO(&c->ours);
    if (sched_getaffinity(0, sizeof c->ours, &c->ours) < 0)
        return;
    int n = CPU_COUNT(&c->ours);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &c->ours))
            c->timing = i;
    c->has_guests = jobs <= 0 && n > 1 && threads <= 1;
    if (jobs <= 0)
        c->builds = n > 1 ? n - 1 : 1;
    c->rest = c->ours;
    if (c->builds < n && threads <= 1) /* children inherit the rest */
        CPU_CLR(c->timing, &c->rest);
    sq_cores_keep(c);
}

void sq_cores_keep(const sq_cores *c)
{
    if (CPU_COUNT(&c->rest) > 0)
        sched_setaffinity(0, sizeof c->rest, &c->rest);
}

void sq_cores_give_back(const sq_cores *c)
{
    if (CPU_COUNT(&c->ours) > 0)
        sched_setaffinity(0, sizeof c->ours, &c->ours);
}
