/* ptxas: see ptxas.h. Lines come in the order
 *     … Compiling entry function 'gemm_kernel0' for 'sm_80'
 *     … 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
 *     … Used 128 registers, …
 * once for each kernel; the order of kernels varies. */
#include "tuner/measure/ptxas.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char entry[] = "Compiling entry function '";

static void read_kernel(const char *from, const char *end, sq_ptxas *to)
{
    const char *used = strstr(from, "Used "), *stack = strstr(from, "bytes stack frame, ");
    int stores = 0, loads = 0;
    if (to->n == SQ_PTXAS_KERNELS || !used || used > end)
        return;
    if (stack && stack < end)
        sscanf(stack, "bytes stack frame, %d bytes spill stores, %d bytes spill loads", &stores,
               &loads);
    snprintf(to->kernel[to->n].name, sizeof to->kernel->name, "%.*s", (int)strcspn(from, "'"),
             from);
    to->kernel[to->n].registers = atoi(used + strlen("Used "));
    to->kernel[to->n++].spills = stores + loads;
}

void sq_ptxas_read(const char *report, sq_ptxas *to)
{
    to->n = 0;
    for (const char *at = strstr(report, entry); at;) {
        at += sizeof entry - 1;
        const char *next = strstr(at, entry);
        read_kernel(at, next ? next : at + strlen(at), to);
        at = next;
    }
}

int sq_ptxas_find(const sq_ptxas *p, const char *kernel)
{
    for (int i = 0; i < p->n; i++)
        if (strcmp(p->kernel[i].name, kernel) == 0)
            return i;
    return -1;
}
