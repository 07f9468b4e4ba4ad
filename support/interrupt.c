/* Interrupts: see interrupt.h. */
#include "support/interrupt.h"
#include "support/file.h"
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t noted, holds;

static void on_signal(int number)
{
    if (holds > 0 && !noted) {
        noted = number;
        return;
    }
    sq_outputs_remove_temporaries();
    _exit(128 + number);
}

static void handle(int number, int although_ignored)
{
    struct sigaction old, a = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    if (sigaction(number, NULL, &old) == 0 && (although_ignored || old.sa_handler != SIG_IGN))
        sigaction(number, &a, NULL);
}

void sq_interrupt_watch(void)
{
    handle(SIGINT, 0);
    handle(SIGTERM, 0);
    handle(SIGHUP, 0);
}

/* A shell without job control starts its background jobs with SIGINT ignored: one that is sent all
 * the same is meant. */
void sq_interrupt_hold(void)
{
    holds++;
    handle(SIGINT, 1);
    handle(SIGTERM, 1);
    handle(SIGHUP, 0);
}

void sq_interrupt_release(void)
{
    holds--;
}

int sq_interrupt_signal(void)
{
    return noted;
}

volatile sig_atomic_t *sq_interrupt_flag(void)
{
    return &noted;
}
