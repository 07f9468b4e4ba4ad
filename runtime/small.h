/* Small: while calls are timed, numbers below the normal ones are 0. What shrinks from call to call, as
 * C = beta C does, ends among them, where a processor takes ten times as long. Of the thread that asks
 * alone: others of a candidate keep what they have. */
#ifndef SQ_RUNTIME_SMALL_H
#define SQ_RUNTIME_SMALL_H

/* Returns what was before. */
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

/* As before that. */
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
