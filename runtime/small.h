/* Small: flushes subnormal numbers to 0 while calls are timed. Values that shrink from call to
 * call, as with C = beta C, become subnormal, for which a processor takes ten times as long.
 * Affects the calling thread only: other threads of a candidate keep their mode. */
#ifndef SQ_RUNTIME_SMALL_H
#define SQ_RUNTIME_SMALL_H

/* Returns the previous mode. */
static inline unsigned long sq_small_flush(void)
{
    unsigned long before = 0;
#if defined(__x86_64__)
    before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr((unsigned)before | 0x8040);
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(before));
    __asm__ volatile("msr fpcr, %0" : : "r"(before | 1ul << 24));
#endif
    return before;
}

/* Restores that mode. */
static inline void sq_small_back(unsigned long before)
{
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((unsigned)before);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(before));
#else
    (void)before;
#endif
}
#endif
