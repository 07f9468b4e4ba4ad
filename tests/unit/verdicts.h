/* Verdicts: what the verifier says of code, for its tests. */
#ifndef SQ_TESTS_VERDICTS_H
#define SQ_TESTS_VERDICTS_H
#include "codegen/code/build.h"
#include "codegen/code/verify.h"
#include "tests/unit/make_code.h"
#include "tests/unit/unit.h"

typedef struct fault {
    const sq_code *code;
    const char *said; /* NULL: nothing is wrong */
} fault;

/* Scalars s and w, arrays A, D and R, a pointer P and names i and n are defined around. */
static inline const char *verdict(const sq_code *x, const sq_code_buffer *p, sq_arena *arena)
{
    const char *const names[] = {"i", "n"}, *const arrays[] = {"A", "D", "R"},
                      *const scalars[] = {"s", "w"};
    const sq_code_outer outer = {.nscalars = 2,
                                 .scalar = scalars,
                                 .n = 2,
                                 .name = names,
                                 .narrays = 3,
                                 .array = arrays,
                                 .nbuffers = p != NULL,
                                 .buffer = &p};
    return sq_code_verify(x, &outer, arena);
}

static inline void assert_verdicts(const fault *f, size_t n, const sq_code_buffer *p, sq_arena *arena)
{
    for (size_t i = 0; i < n; i++) {
        const char *said = verdict(f[i].code, p, arena);
        if (!f[i].said != !said)
            fail_msg("case %zu: %s, not %s", i, said ? said : "fine", f[i].said);
        if (said)
            assert_string_equal(said, f[i].said);
    }
}

static inline sq_code *in_order(sq_code *a, sq_code *b)
{
    sq_code_list all = {0};
    sq_code_append(&all, a);
    sq_code_append(&all, b);
    return all.first;
}
#endif
