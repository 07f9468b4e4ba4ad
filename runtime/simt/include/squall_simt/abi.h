/* ABI: the interface between CUDA text compiled for the CPU and the runtime that executes it. Plain
 * C, included by both; not for users. */
#ifndef SQUALL_SIMT_ABI_H
#define SQUALL_SIMT_ABI_H
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A source location. Calls pass it, because a compiler may duplicate a call, and its copies have
 * different addresses. */
typedef struct simt_place {
    const char *file;
    int line;
} simt_place;

typedef struct simt_config {
    unsigned grid[3], block[3];
    size_t shared; /* dynamic, bytes */
} simt_config;

/* Runs `thread(arg)` as every thread of the grid. Returns the CUDA error. */
int simt_launch(const simt_config *c, const void *kernel, void (*thread)(void *arg), void *arg);
/* Registers a `__shared__` variable, each time a thread passes its declaration: `whole` is the
 * memory with its guards, `at` the variable, with `rank` dimensions. */
void simt_shared(const char *name, const void *at, size_t size, size_t element, int rank,
                 const size_t *extent, const void *whole, size_t whole_size, const char *file,
                 int line);
void simt_launch_bounds(long threads, const char *file, int line);
/* The dynamic shared memory of the current block, between guards. */
enum { SIMT_DYNAMIC_BYTES = 227 * 1024, SIMT_GUARD = 4096 };
typedef struct simt_dynamic_memory {
    char before[SIMT_GUARD];
    char at[SIMT_DYNAMIC_BYTES];
    char after[SIMT_GUARD];
} simt_dynamic_memory;
extern simt_dynamic_memory simt_dynamic;

/* ---- block ---- */
enum { SIMT_SYNC, SIMT_COUNT, SIMT_AND, SIMT_OR };
int simt_barrier(int kind, int value, simt_place at);
void simt_fence(void);

/* ---- warp ---- */
enum { SIMT_IDX, SIMT_UP, SIMT_DOWN, SIMT_XOR };
/* Replaces `value` of `size` bytes by that of another lane. */
void simt_shuffle(int how, unsigned mask, void *value, size_t size, int other, int width,
                  simt_place at);
enum { SIMT_BALLOT, SIMT_MATCH_ANY, SIMT_MATCH_ALL };
unsigned simt_vote(int how, unsigned mask, uint64_t value, int *all, simt_place at);
enum {
    SIMT_REDUCE_ADD,
    SIMT_REDUCE_MIN,
    SIMT_REDUCE_MAX,
    SIMT_REDUCE_MIN_U,
    SIMT_REDUCE_MAX_U,
    SIMT_REDUCE_AND,
    SIMT_REDUCE_OR,
    SIMT_REDUCE_XOR
};
unsigned simt_reduce(int how, unsigned mask, unsigned value, simt_place at);
void simt_syncwarp(unsigned mask, simt_place at);
unsigned simt_activemask(simt_place at);

/* ---- memory ---- */
enum {
    SIMT_ADD,
    SIMT_SUB,
    SIMT_MIN,
    SIMT_MAX,
    SIMT_EXCH,
    SIMT_CAS,
    SIMT_BIT_AND,
    SIMT_BIT_OR,
    SIMT_BIT_XOR,
    SIMT_INC,
    SIMT_DEC
};
enum {
    SIMT_S32,
    SIMT_U32,
    SIMT_S64,
    SIMT_U64,
    SIMT_F32,
    SIMT_F64,
    SIMT_F16,
    SIMT_BF16,
    SIMT_U16,
    SIMT_TF32,
    SIMT_S8,
    SIMT_U8
};
/* Returns the old value as bits; `value` and `compare` are bits as well. */
uint64_t simt_atomic(int what, int type, void *at, uint64_t value, uint64_t compare);
void simt_copy_async(void *to, const void *from, size_t bytes, size_t zeros, simt_place at);
void simt_copy_commit(void);
void simt_copy_wait(unsigned most);
long long simt_clock(void);
void simt_trap(const char *what, simt_place at);

/* ---- fragments ---- */
/* A matrix distributed over a warp: rows x cols elements of `type`, element e is in lane e % 32 at
 * data[e / 32], with the width simt_fragment_bytes. */
typedef struct simt_matrix {
    void *data;
    int type, rows, cols;
} simt_matrix;
/* by_rows: element (r, c) at r * pitch + c, else at c * pitch + r. */
void simt_fragment_load(simt_matrix to, const void *from, long pitch, int by_rows, simt_place at);
void simt_fragment_store(simt_matrix from, void *to, long pitch, int by_rows, simt_place at);
/* d = a b + c */
void simt_fragment_mma(simt_matrix d, simt_matrix a, simt_matrix b, simt_matrix c, simt_place at);
/* One mma.sync of shape 16 x 8 x k (8 x 8 x 4 for f64), with the instruction's registers. */
void simt_mma(int type, int sum, int k, void *d, const void *a, const void *b, const void *c,
              simt_place at);
/* ldmatrix of n = 1, 2 or 4 matrices: each lane passes the address of a row and gets n
 * registers. */
void simt_ldmatrix(int n, int transposed, unsigned *to, const void *row, simt_place at);
/* An operand of a warpgroup's instruction in shared memory, in swizzled rows of 128 bytes: either
 * the steps of the sum or the operand's own dimension is along the rows, in blocks of 64 elements,
 * `lead` elements from each other. */
typedef struct simt_operand {
    const void *at;
    int lead, steps_along;
} simt_operand;
/* One wgmma of 64 x n x 16 with operands of `type` and sums in f32: updates the n / 2 sums of the
 * thread. */
void simt_wgmma(int type, int n, float *const *d, simt_operand a, simt_operand b, simt_place at);

/* ---- narrow floats ---- */
float simt_from_f16(uint16_t h);
uint16_t simt_to_f16(double x);
float simt_from_bf16(uint16_t h);
uint16_t simt_to_bf16(double x);
/* Returns a b + c for values of at most 11 digits, so that rounding the result again to 11 digits
 * is exact. */
double simt_fma_narrow(double a, double b, double c);

/* Counts floating-point operations of kernels: a sum, difference, product or quotient is one, a
 * fused multiply-add two, fragments have as many as they compute. Instrumented text also counts the
 * operations of host code; the second counter has both. */
extern uint64_t simt_flops, simt_flops_of_text;

/* Returns the number of findings so far. */
unsigned simt_findings(void);
#ifdef __cplusplus
}
#endif
#endif
