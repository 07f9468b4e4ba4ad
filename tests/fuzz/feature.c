/* Feature: constructs of the language that random programs are made of, each seen to be accepted.
 */
#include "tests/fuzz/fuzz.h"
#include "ir/dependence/deps.h"
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static bool accepted(const char *path, const char *text)
{
    isl_ctx *ctx = new_context();
    sq_diags *d = sq_diags_new();
    sq_parse_options o = {0};
    sq_unit *u = sq_parse(ctx, path, text, strlen(text), &o, d);
    bool ok = u && sq_kernel_check(u->kernel[0], d) == 0;
    sq_unit_free(u);
    sq_diags_free(d);
    isl_ctx_free(ctx);
    return ok;
}

/* All of them are part of the language by now: 0 if none is missing. */
int find_features(features *can)
{
    int missing = 0;
#define KERNEL(body) "#include \"squall.h\"\nkernel k(int N, const f32 A[N], f32 B[N]" body "}\n"
    static const struct {
        size_t at;
        const char *name, *path, *text;
    } rows[] = {
#define ROW(field, text) {offsetof(features, field), #field, "k.sq", KERNEL(text)}
        ROW(select, ") { idx i; B[i] = i >= 3 ? A[i] : 0.f;"),
        ROW(otherwise, ") { for (int i = 0; i < N; i++) if (i < 3) B[i] = 1; else B[i] = 2;"),
        ROW(downward, ") { for (int i = N - 1; i >= 0; i--) B[i] = A[i];"),
        ROW(stride, ") { for (int i = 0; i < N; i += 2) B[i] = A[i];"),
        ROW(modulus, ") { for (int i = 0; i < N; i++) if (i % 2 == 0) B[i] = A[i];"),
        ROW(either, ") { for (int i = 0; i < N; i++) if (i < 2 || i > 4) B[i] = A[i];"),
        ROW(clamp, ") { idx i; B[i] = clampedge(A[i - 1]);"),
        ROW(strict, ") {\n#pragma squall fp strict\n idx i; B[i] = A[i];"),
        ROW(integer_operators, ", int32_t C[N]) { idx i; B[i] = A[i]; C[i] = (C[i] >> 1) % 3;"),
        ROW(small_types, ", const int8_t C[N], uint16_t D[N]) { idx i; B[i] = A[i]; D[i] = C[i];"),
        ROW(halves, ", const f16 C[N], bf16 D[N]) { idx i; B[i] = (f16)A[i]; D[i] = C[i];"),
        ROW(saturate, ", int8_t C[N]) { idx i; B[i] = A[i]; C[i] = sat_int8(99 * A[i]);"),
        ROW(arguments, ", int32_t C[1]) { idx i; B[i] = A[i]; C[0] = argmax(A[i], i);"),
        ROW(functions, ") { idx i; B[i] = erff(sigmoidf(A[i]));"),
        ROW(words, ") { idx i; B[i] = max2(A[i], relu(B[i]));"),
        {offsetof(features, regions), "regions", "k.c",
         "void k(int n, float *a)\n{\n#pragma scop\n"
         "for (int i = 0; i < n; i++) a[i] = 2;\n#pragma endscop\n}\n"},
        ROW(assumes, ") { idx i; assume(N >= 4); B[i] = A[i];"),
        ROW(hostile, ", f32 class[N]) { idx max; B[max] = A[max]; class[max] = 1;"),
        ROW(companions, ") { idx i; B[i] = A[i]; } kernel l(int N, f32 A[N]) { idx i; A[i] = 1;"),
        ROW(variables, ") { for (int i = 0; i < N; i++) { f32 w = A[i] + 1; B[i] = w * w; }"),
        ROW(overlap, ", alias int32_t C[N]) { idx i; B[i] = A[i]; C[i] = i;"),
        ROW(locals, ") { idx i; f32 T[N]; T[i] = A[i]; B[i] = T[N - 1 - i];"),
#undef ROW
#undef KERNEL
    };
    printf("features:");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool ok = accepted(rows[i].path, rows[i].text);
        memcpy((char *)can + rows[i].at, &ok, sizeof ok);
        printf(" %s%s", ok ? "" : "no ", rows[i].name);
        missing += !ok;
    }
    printf("\n");
    return missing;
}
