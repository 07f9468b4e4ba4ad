/* Fibres: a stack each, and a switch that saves callee-saved registers. Below each stack is a guard
 * page, which detects threads with too many locals (reported by report.c). */
#include "runtime/simt/simt.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *stacks;
size_t simt_stack_bytes;
static size_t slot_bytes; /* slot: guard and stack */
static void *scheduler_sp;

/* Saves the registers of the caller and its stack pointer in *from, continues where `to`
 * stopped. */
void simt_switch(void **from, void *to);

#if defined(__x86_64__)
__asm__(".text\n.globl simt_switch\n.type simt_switch,@function\n"
        "simt_switch:\n"
        "    pushq %rbp\n    pushq %rbx\n    pushq %r12\n    pushq %r13\n    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n    popq %r14\n    popq %r13\n    popq %r12\n    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n.size simt_switch,.-simt_switch\n");
enum { SAVED = 6, ENTRY = 6, FRAME = 8 }; /* in words; position of the return address */
#elif defined(__aarch64__)
__asm__(".text\n.globl simt_switch\n.type simt_switch,%function\n"
        "simt_switch:\n"
        "    sub sp, sp, #160\n"
        "    stp x19, x20, [sp, #0]\n    stp x21, x22, [sp, #16]\n    stp x23, x24, [sp, #32]\n"
        "    stp x25, x26, [sp, #48]\n    stp x27, x28, [sp, #64]\n    stp x29, x30, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n    stp d10, d11, [sp, #112]\n    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    mov x9, sp\n    str x9, [x0]\n    mov sp, x1\n"
        "    ldp x19, x20, [sp, #0]\n    ldp x21, x22, [sp, #16]\n    ldp x23, x24, [sp, #32]\n"
        "    ldp x25, x26, [sp, #48]\n    ldp x27, x28, [sp, #64]\n    ldp x29, x30, [sp, #80]\n"
        "    ldp d8, d9, [sp, #96]\n    ldp d10, d11, [sp, #112]\n    ldp d12, d13, [sp, #128]\n"
        "    ldp d14, d15, [sp, #144]\n"
        "    add sp, sp, #160\n"
        "    ret\n.size simt_switch,.-simt_switch\n");
enum { ENTRY = 11, FRAME = 20 };
#else
#error "fibres are written for x86-64 and aarch64"
#endif

static size_t wanted_stack(void)
{
    const char *text = getenv("SQUALL_SIMT_STACK"); /* KiB per thread */
    size_t kib = text ? strtoul(text, NULL, 10) : 0;
    return (kib < 16 || kib > 65536 ? 64 : kib) * 1024;
}

void simt_fibres_open(void)
{
    if (stacks)
        return;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    simt_stack_bytes = wanted_stack();
    slot_bytes = simt_stack_bytes + page;
    stacks = mmap(NULL, slot_bytes * SIMT_MAX_THREADS, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stacks == MAP_FAILED)
        abort();
    for (unsigned i = 0; i < SIMT_MAX_THREADS; i++) {
        mprotect(stacks + i * slot_bytes, page, PROT_NONE);
        simt_threads[i].stack = stacks + i * slot_bytes + page;
    }
}

static void entry(void)
{
    simt_thread_main();
    abort(); /* a finished thread is never resumed */
}

void simt_fibre_start(simt_thread *t)
{
    void **top = (void **)(void *)(t->stack + simt_stack_bytes) - 2 - FRAME;
    memset(top, 0, (FRAME + 2) * sizeof *top);
    top[ENTRY] = (void *)(uintptr_t)entry;
    t->sp = top;
}

void simt_fibre_resume(simt_thread *t)
{
    uint64_t before = simt_flops_of_text;
    simt_now.self = t;
    simt_now.running = true;
    simt_switch(&scheduler_sp, t->sp);
    simt_now.running = false;
    simt_flops += simt_flops_of_text - before;
}

void simt_fibre_wait(void)
{
    simt_switch(&simt_now.self->sp, scheduler_sp);
}

bool simt_is_stack(const void *p)
{
    return stacks && (uintptr_t)p - (uintptr_t)stacks < slot_bytes * SIMT_MAX_THREADS;
}

bool simt_is_guard(const void *p)
{
    return simt_is_stack(p) &&
           ((uintptr_t)p - (uintptr_t)stacks) % slot_bytes < slot_bytes - simt_stack_bytes;
}
