/* Calls the kernels of contract.sq with sizes they accept, sizes they refuse and sizes that promise
 * nothing, and compares with plain loops. Large arrays are address space that nobody touches. */
#define _GNU_SOURCE
#include "begun.h"
#include "both.h"
#include "corner.h"
#include "doubled.h"
#include "four.h"
#include "halved.h"
#include "large.h"
#include "mixed.h"
#include "product.h"
#include "promised.h"
#include "shifted.h"
#include "summed.h"
#include "temporaries.h"
#include "tripled.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static int failed;

static void expect(int right, const char *what)
{
    if (!right)
        printf("FAILED %s\n", what);
    failed += !right;
}

static float *filled(size_t n, float start)
{
    float *a = malloc((n + 1) * sizeof *a);
    for (size_t i = 0; i < n; i++)
        a[i] = start + (float)(i * 7 % 11) - 5;
    return a;
}

static void broken_promises(void)
{
    int sizes[][2] = {{3, 9}, {9, 3}, {0, 5}, {12, 12}, {20, 8}, {1, 0}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int M = sizes[s][0], N = sizes[s][1];
        float *A = filled((size_t)(M * N), 1), *S = filled((size_t)M, 99);
        promised(M, N, A, S);
        for (int i = 0; i < M; i++) {
            float sum = 0;
            for (int j = 0; j < N; j++)
                sum += A[i * N + j];
            expect(fabsf(S[i] - sum) < 1e-3f, "promised");
        }
        free(A);
        free(S);
    }
}

static void refused(void)
{
    float *A = filled(10, 1), *B = filled(10, 50), before[10];
    memcpy(before, B, sizeof before);
    expect(shifted_accepts(10, 8) == 1 && shifted_accepts(10, 9) == 0, "shifted_accepts");
    expect(shifted_accepts(-1, 5) == 0, "shifted_accepts of negative sizes");
    shifted(10, 9, A, B);
    expect(memcmp(before, B, sizeof before) == 0, "shifted computes nothing where it may not");
    shifted(10, 8, A, B);
    expect(B[0] == A[2] && B[7] == A[9] && B[8] == before[8], "shifted");
    expect(mixed_accepts(10, 9) == 0 && mixed_accepts(-1, -3) == 0, "what access needs is hard");
    mixed(10, 9, A, B);
    expect(B[0] == A[2] && B[8] == before[8], "a refused call changes nothing");
    expect(mixed_accepts(10, 3) == 1 && mixed_accepts(10, 8) == 1, "other assumes are not");
    for (int n = 3; n <= 8; n += 5) {
        memcpy(B, before, sizeof before);
        mixed(10, n, A, B);
        expect(B[0] == A[2] && B[n - 1] == A[n + 1] && B[n] == before[n], "mixed");
    }
    memcpy(B, before, sizeof before);
    expect(begun_accepts(3, 3) == 1 && begun_accepts(4, 3) == 0, "begun_accepts");
    begun(3, 3, A, B);
    expect(B[2] == A[2], "begun");
    memcpy(B, before, sizeof before);
    expect(halved_accepts(3) == 1 && halved_accepts(2) == 0, "halved_accepts");
    halved(2, A, B);
    halved(-7, A, B);
    halved(9, A, B);
    expect(B[0] == A[0] + A[2] && B[3] == A[6] + A[8], "halved");
    free(A);
    free(B);
}

static void no_sizes(void)
{
    product(INT_MAX, 0, INT_MAX, NULL, NULL, NULL);
    product(0, INT_MAX, INT_MAX, NULL, NULL, NULL);
    product(-1, -1, -1, NULL, NULL, NULL);
    product(INT_MIN, INT_MAX, INT_MIN, NULL, NULL, NULL);
    expect(four_accepts(INT64_C(1) << 31, INT64_C(1) << 31, 0, 0) == 1, "products of 0");
    expect(four_accepts(INT64_C(1) << 21, INT64_C(1) << 21, INT64_C(1) << 20, 2) == 0, "2^63");
    expect(four_accepts(INT64_C(1) << 21, INT64_C(1) << 21, INT64_C(1) << 20, 1) == 1, "2^62");
    expect(four_accepts(0, INT64_MAX, 3, 1) == 0, "the stride of an empty array");
    expect(doubled_accepts(INT64_C(1) << 56) == 1, "multiples of 2^56");
    expect(doubled_accepts((INT64_C(1) << 56) + 1) == 0, "multiples that may pass 2^63");
    float y[2] = {5, 5};
    doubled(INT64_MAX / 2 + 2, NULL, y);
    expect(y[0] == 5, "2 * N is negative");
    four(INT64_C(1) << 40, INT64_C(1) << 40, 1, 1, NULL, NULL);
}

/* 10^10 elements: their numbers need 34 bits. */
static void address_space(void)
{
    enum { N = 100000 };
    size_t count = (size_t)N * N, bytes = count * sizeof(float);
    float y[2],
        *A = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0),
        *B = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                  -1, 0);
    if (A == MAP_FAILED || B == MAP_FAILED) {
        printf("no address space for large arrays: not tried\n");
        return;
    }
    A[count - 1] = 5;
    A[count - 2] = 3;
    corner(N, N, A, B, y);
    expect(y[0] == 2 && y[1] == 2, "the last elements are read");
    expect(B[count - 1] == 6 && B[count - 3] == 1 && B[count - N - 3] == 1, "and written");
    expect(B[count - 4] == 0 && B[count - 2 * (size_t)N - 1] == 0, "and no others");
    munmap(A, bytes);
    munmap(B, bytes);
}

static void one_workspace(int M, int N, size_t off)
{
    float *A = filled((size_t)(M * N), 1), *B = filled((size_t)(M * N), 9),
          *C = filled((size_t)M, 9), *B2 = filled((size_t)(M * N), 9), *C2 = filled((size_t)M, 9);
    size_t bytes = temporaries_workspace(M, N);
    unsigned char *memory = malloc(bytes + off + 16);
    memset(memory, 0xa5, bytes + off + 16);
    temporaries(M, N, A, B, C);
    expect(temporaries_in(M, N, A, B2, C2, memory + off) == 0, "temporaries_in");
    expect(memory[bytes + off] == 0xa5, "no more than the workspace is used");
    expect(memcmp(B, B2, (size_t)(M * N) * sizeof *B) == 0,
           "the workspace's place changes nothing");
    expect(memcmp(C, C2, (size_t)M * sizeof *C) == 0, "nor for the sums");
    for (int i = 0; i < M; i++) {
        double r = 0, t = 0, q = 0;
        for (int j = 0; j < N; j++)
            r += A[i * N + j], q += A[i * N + j] * A[i * N + j];
        for (int j = 0; j < N; j++) {
            t += A[i * N + j] * r;
            expect(fabs(B[i * N + j] - A[i * N + N - 1 - j] * r) <= 1e-4 * (1 + fabs(r)), "B");
        }
        expect(fabs(C[i] - t / (1 + q)) <= 1e-4 * (1 + fabs(t)), "C");
    }
    free(A), free(B), free(C), free(B2), free(C2), free(memory);
}

static void workspaces(void)
{
    int sizes[][2] = {{5, 37}, {1, 1}, {13, 64}, {0, 9}, {9, 0}};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        one_workspace(sizes[s][0], sizes[s][1], s);
    expect(temporaries_workspace(-1, 7) == 0, "nothing for sizes that are refused");
    expect(temporaries_workspace(INT_MAX, INT_MAX) > (size_t)INT_MAX, "no overflow to a small one");
    temporaries(-3, 4, NULL, NULL, NULL);
    expect(temporaries_in(-3, 4, NULL, NULL, NULL, NULL) == 1, "sizes that are refused");
    expect(temporaries_in(3, 4, NULL, NULL, NULL, NULL) == 1, "no memory where some is needed");
    float *A = filled(300 * 300, 2), *B = filled(300 * 300, 0);
    expect(large_workspace() >= 300 * 300 * sizeof *A, "large_workspace");
    large(A, B);
    expect(B[7 * 300 + 299] == 2 * A[299 * 300 + 7], "large");
    for (int N = 3; N <= 17; N += 14) {
        both(2, N, A, B);
        float sum = 0;
        for (int j = 0; j < N; j++)
            sum += A[N + j];
        expect(fabsf(B[2 * N - 1] - (A[2 * N - 1] - sum)) < 1e-4f, "both");
    }
    free(A), free(B);
}

/* Each point sees what the ones before it wrote, wherever the arrays lie. */
static void overlaps(void)
{
    for (int by = -3; by <= 3; by++) {
        float x[40], want[40];
        for (int i = 0; i < 40; i++)
            x[i] = want[i] = (float)(i % 5) / 64;
        for (int i = 0; i < 20; i++)
            want[10 + i + by] = 3 * want[10 + i];
        tripled(20, x + 10 + by, x + 10);
        expect(memcmp(x, want, sizeof x) == 0, "tripled");
    }
    for (int by = 0; by < 12; by++) {
        float x[60], want[60];
        for (int i = 0; i < 60; i++)
            x[i] = want[i] = (float)(i % 7) / 8;
        for (int i = 0; i < 8; i++) {
            float sum = 0;
            for (int j = 0; j < 5; j++)
                sum += want[5 * i + j];
            want[by + i] = sum;
        }
        summed(8, 5, x + by, x);
        for (int i = 0; i < 60; i++)
            expect(fabsf(x[i] - want[i]) < 1e-4f * (1 + fabsf(want[i])), "summed");
    }
}

int main(void)
{
    broken_promises();
    refused();
    no_sizes();
    address_space();
    workspaces();
    overlaps();
    return failed != 0;
}
