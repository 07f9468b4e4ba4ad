/* Interrupts: Ctrl-C, a request to end, a terminal that is gone (SIGINT, SIGTERM, SIGHUP). */
#ifndef SQ_SUPPORT_INTERRUPT_H
#define SQ_SUPPORT_INTERRUPT_H
#include <signal.h>

/* From now on such a signal ends the process with 128 + its number, after temporary files were
 * removed. What was ignored when the process began (nohup) stays so. */
void sq_interrupt_watch(void);
/* Between these two something is there that its owner has to clean up, a folder or children: the
 * first signal is only noted, and whoever waits asks for it. The second ends the process. */
void sq_interrupt_hold(void);
void sq_interrupt_release(void);
/* The signal that was noted, 0: none. */
int sq_interrupt_signal(void);
volatile sig_atomic_t *sq_interrupt_flag(void);
#endif
