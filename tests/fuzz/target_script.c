/* Fuzz target: the script parser and, behind it, every transform on a small product. Whatever the
 * bytes are, the answer is a schedule or a diagnostic; a schedule that was accepted prints as a
 * script that is accepted again. */
#include "frontend/frontend.h"
#include "ir/dependence/deps.h"
#include "support/text.h"
#include "tests/fuzz/target.h"
#include "transforms/transform.h"
#include <isl/options.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char description[] =
    "#include \"squall.h\"\n"
    "kernel mix(int M, int N, int K, const f32 A[M][K], const f32 B[K][N], f32 C[M][N],\n"
    "           f32 D[M][N])\n"
    "{\n"
    "    idx i, j, k;\n"
    "    C[i][j] = sum(A[i][k] * B[k][j], k);\n"
    "    D[i][j] = C[i][j] + 1.f;\n"
    "}\n";

static sq_kernel *the_kernel(void)
{
    static sq_unit *unit;
    if (unit)
        return unit->kernel[0];
    isl_ctx *ctx = isl_ctx_alloc();
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    sq_diags *d = sq_diags_new();
    unit = sq_parse(ctx, "mix.sq", description, sizeof description - 1, NULL, d);
    if (!unit || sq_kernel_check(unit->kernel[0], d) < 0 ||
        sq_deps_compute(unit->kernel[0], d) < 0) {
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
        exit(2);
    }
    sq_diags_free(d);
    return unit->kernel[0];
}

static void demand_again(const sq_kernel *k, const sq_schedule *s, sq_arena *arena)
{
    sq_text printed = {0};
    sq_diags *d = sq_diags_new();
    sq_schedule_print(s, &printed);
    sq_schedule *again = sq_schedule_new(k, arena);
    if (sq_script_apply(again, sq_text_str(&printed), "<printed>", arena, d) < 0) {
        fprintf(stderr, "the canonical script is refused:\n%s\n", sq_text_str(&printed));
        sq_diags_print(d, stderr, SQ_DIAG_GCC, 0);
        abort();
    }
    sq_diags_free(d);
    sq_text_free(&printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const sq_kernel *k = the_kernel();
    sq_arena *arena = sq_arena_new();
    sq_diags *d = sq_diags_new();
    char *script = sq_arena_strndup(arena, (const char *)data, n);
    sq_schedule *s = sq_schedule_new(k, arena);
    if (sq_script_apply(s, script, "<script>", arena, d) == 0)
        demand_again(k, s, arena);
    print_quietly(d);
    sq_diags_free(d);
    sq_arena_free(arena);
    return 0;
}
