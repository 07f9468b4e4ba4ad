/* Make kernel: small kernels built by hand from isl's text, for tests of rooms that stand beside the
 * frontend. */
#ifndef SQ_TESTS_MAKE_KERNEL_H
#define SQ_TESTS_MAKE_KERNEL_H
#include "ir/kernel.h"

/* `C[i][j] = beta*C[i][j] + alpha*sum(A[i][k]*B[k][j], k)` in the given type, symbolic M, N, K. */
sq_kernel *sq_make_gemm(isl_ctx *ctx, sq_type type);
/* `O[y] = max2(sum(pad(I[y + r - 1], 0) * G[r], r), 0)`: padding and an epilogue. */
sq_kernel *sq_make_conv(isl_ctx *ctx);
/* `T[i] = rmax(X[i][j], j) over j <= i; Y[i][j] = X[i][j] - T[i] over j <= i`: a local array, a
 * triangle, elements of an output that nobody writes. */
sq_kernel *sq_make_triangle(isl_ctx *ctx);
/* for (t…) for (i = 1…) A[i] = A[i-1] + A[i]: written loops. */
sq_kernel *sq_make_written(isl_ctx *ctx);
void sq_make_free(sq_kernel *k);
#endif
