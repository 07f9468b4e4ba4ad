/* Leak: see leak.h. Calls may alternate (check calls K_in in two of four), so memory in use is read
 * after every four of them. The first calls are ignored: libgomp allocates more in each of the
 * first dozen, and keeps it. */
#include "runtime/leak.h"
#include <malloc.h>

enum { TURN = 4, WARM = 16, TURNS = 8 };

#ifdef __GLIBC_PREREQ
#define SAYS_USE __GLIBC_PREREQ(2, 33)
#else
#define SAYS_USE 0
#endif

size_t sq_leak_extra;

size_t sq_leak_in_use(void)
{
#if SAYS_USE
    struct mallinfo2 m = mallinfo2(); /* of all threads' arenas */
    return m.uordblks + m.hblkhd - sq_leak_extra;
#else
    return 0;
#endif
}

void sq_leak_exact(void)
{
#if SAYS_USE
    mallopt(M_MXFAST, 0);
#endif
}

static size_t in_use_behind(int turns, void (*entry)(void *const *arg), void *const *arg)
{
    for (int i = 0; i < turns * TURN; i++)
        entry(arg);
    return sq_leak_in_use();
}

size_t sq_leak(void (*entry)(void *const *arg), void *const *arg)
{
    size_t first = in_use_behind(WARM, entry, arg), before = first;
    for (int i = 0; i < TURNS; i++) {
        size_t now = in_use_behind(1, entry, arg);
        if (now <= before)
            return 0;
        before = now;
    }
    size_t each = (before - first) / (TURNS * TURN);
    return each ? each : 1;
}
