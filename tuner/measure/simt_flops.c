/* Flops: see simt_flops.h. The counts of a basic block are added at its end: before a jump, a call
 * or a label. The added code must preserve flags, the red zone and registers. Multiply-adds are
 * calls here (-fno-builtin-fmaf), counted in the callee. */
#include "tuner/measure/simt_flops.h"
#include <stdbool.h>
#include <string.h>

enum { MAX_MNEMONIC = 16 };

#if defined(__aarch64__)
static const char *const counted[] = {"fadd", "fsub", "fmul", "fnmul", "fdiv"};
static const char *const jumps[] = {"b", "bl", "blr", "br", "ret", "cbz", "cbnz", "tbz", "tbnz"};

static void put_sum(int flops, sq_text *to)
{
    sq_text_printf(to,
                   "\tstp x16, x17, [sp, -16]!\n\tadrp x16, simt_flops_of_text\n"
                   "\tldr x17, [x16, :lo12:simt_flops_of_text]\n\tadd x17, x17, %d\n"
                   "\tstr x17, [x16, :lo12:simt_flops_of_text]\n\tldp x16, x17, [sp], 16\n",
                   flops < 4095 ? flops : 4095);
}
#else
static const char *const counted[] = {"addss", "addsd", "subss", "subsd",
                                      "mulss", "mulsd", "divss", "divsd"};
static const char *const jumps[] = {"call", "ret", "rep", "notrack", "bnd", "ud2"};

static void put_sum(int flops, sq_text *to)
{
    sq_text_printf(to,
                   "\tleaq -128(%%rsp), %%rsp\n\tpushq %%rax\n"
                   "\tmovq simt_flops_of_text(%%rip), %%rax\n\tleaq %d(%%rax), %%rax\n"
                   "\tmovq %%rax, simt_flops_of_text(%%rip)\n\tpopq %%rax\n"
                   "\tleaq 128(%%rsp), %%rsp\n",
                   flops);
}
#endif

static bool is_one_of(const char *const *names, size_t n, const char *mnemonic)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(mnemonic, names[i]) == 0)
            return true;
    return false;
}

/* Copies "mulss" of "\tmulss\t%xmm1, %xmm0"; "" for a directive, a label, an empty line. */
static void mnemonic_of(const char *line, size_t n, char *to)
{
    size_t at = 0, end = 0;
    while (at < n && (line[at] == ' ' || line[at] == '\t'))
        at++;
    while (at + end < n && end < MAX_MNEMONIC - 1 && !strchr(" \t.:#", line[at + end]))
        end++;
    bool names = at > 0 && !(at + end < n && line[at + end] == ':');
    memcpy(to, line + at, end);
    to[names ? end : 0] = 0;
}

static bool is_counted(const char *mnemonic)
{
    size_t n = sizeof counted / sizeof *counted;
    return is_one_of(counted, n, mnemonic) ||
           (*mnemonic == 'v' && is_one_of(counted, n, mnemonic + 1));
}

static bool is_jump(const char *mnemonic)
{
#if !defined(__aarch64__)
    if (*mnemonic == 'j')
        return true;
#endif
    return is_one_of(jumps, sizeof jumps / sizeof *jumps, mnemonic);
}

static bool is_label(const char *line, size_t n)
{
    return n > 0 && *line != '\t' && *line != ' ' && *line != '#' && memchr(line, ':', n);
}

void sq_simt_count_flops(const char *assembly, sq_text *to)
{
    char mnemonic[MAX_MNEMONIC];
    int flops = 0;
    for (const char *line = assembly; *line;) {
        size_t n = strcspn(line, "\n");
        mnemonic_of(line, n, mnemonic);
        if (flops && (is_label(line, n) || is_jump(mnemonic))) {
            put_sum(flops, to);
            flops = 0;
        }
        flops += is_counted(mnemonic);
        n += line[n] == '\n';
        sq_text_putn(to, line, n);
        line += n;
    }
}
