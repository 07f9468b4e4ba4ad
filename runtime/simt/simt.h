/* Simt: executes CUDA text on the CPU; shared by the files of this folder. Blocks run in sequence;
 * the threads of a block are fibres that run until they wait. The result of the checks depends only
 * on the synchronization in the text, never on the order in which fibres happen to run.
 *
 *     fibre.c    switching           shadow.c   last accesses: races, unwritten memory
 *     block.c    launch, barriers    access.c   one access: region, bounds, alignment, log
 *     warp.c     shuffles, votes     count.c    logs of a warp -> conflicts, sectors
 *     async.c    asynchronous copies memory.c   device memory and its regions
 *     atomic.c   atomics             hooks.c    called by the compiler's instrumentation
 *     fragment.c matrices of a warp  report.c   findings and counts; symbols.c addresses -> lines
 *     host.c     the host's functions
 *
 * Built without instrumentation, as C, once; the text is compiled by the user's C++ compiler. */
#ifndef SQ_RUNTIME_SIMT_H
#define SQ_RUNTIME_SIMT_H
#include "runtime/simt/include/squall_simt/abi.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    SIMT_LANES = 32,
    SIMT_MAX_THREADS = 1024,
    SIMT_LOG = 1024 /* accesses of a lane in the log before those of its warp are counted */
};

/* A location in the text: an address of the program, converted to a line at the end, or the
 * line. */
typedef struct simt_where {
    uintptr_t pc; /* 0: file and line are given */
    simt_place place;
} simt_where;

typedef enum simt_state {
    SIMT_READY,
    SIMT_AT_BARRIER,
    SIMT_AT_WARP, /* waits for lanes */
    SIMT_FULL,    /* its log is full */
    SIMT_DONE
} simt_state;

typedef enum simt_warp_kind {
    SIMT_NO_OP,
    SIMT_OP_SHUFFLE,
    SIMT_OP_VOTE,
    SIMT_OP_REDUCE,
    SIMT_OP_SYNC,
    SIMT_OP_ACTIVE,
    SIMT_OP_MATRIX
} simt_warp_kind;

/* An operation of a warp, as a lane requests it; on the lane's stack. */
typedef struct simt_warp_op {
    simt_warp_kind kind;
    unsigned mask;
    simt_place at;
    const char *name; /* "shuffle", for messages */
    /* Called once, when all lanes of the mask have arrived: op[lane], NULL for the others. */
    void (*all)(struct simt_warp_op **op, unsigned mask);
    void *payload;
} simt_warp_op;

typedef struct simt_entry { /* An entry of a log. */
    uint64_t address;
    uint32_t pc; /* relative to the program's first address */
    uint16_t size;
    uint8_t flags; /* SIMT_WRITE, SIMT_SHARED, ... */
} simt_entry;

typedef struct simt_copy {
    char *to;
    const char *from;
    size_t bytes, zeros;
    unsigned group;
    simt_where at;
} simt_copy;

typedef struct simt_thread {
    void *sp;
    simt_state state;
    unsigned index[3], linear, lane, warp;
    char *stack; /* lowest address */
    /* the operation that it waits for */
    simt_warp_op *op;
    int barrier_kind, barrier_value;
    simt_place barrier;
    /* vector clock among the lanes of a warp: clock[l] is the latest time of lane l that this lane
     * has seen */
    uint32_t clock[SIMT_LANES];
    uint32_t fenced; /* the block's epoch at its last fence, plus one; 0: none */
    /* asynchronous copies */
    simt_copy *copies;
    unsigned ncopies, room, group, group_done;
    simt_entry *log;
    unsigned nlog;
} simt_thread;

/* An access to memory, as recorded in the shadow. */
typedef struct simt_stamp {
    uint32_t block; /* number over all launches, from 1; 0: the host, or none */
    uint32_t epoch; /* number of barriers of the block so far */
    uint32_t clock;
    uint32_t pc;
    uint16_t thread, flags;
} simt_stamp;
enum {
    SIMT_WRITE = 1,
    SIMT_ATOMIC = 2,
    SIMT_PENDING = 4, /* an asynchronous copy that nobody has waited for */
    SIMT_ASYNC = 8,
    SIMT_SHARED = 16,
    SIMT_SET = 32, /* the stamp is valid */
    SIMT_MATRIX = 64
};

struct simt_chunk;
typedef enum simt_space { SIMT_SPACE_SHARED, SIMT_SPACE_GLOBAL, SIMT_SPACE_IMAGE } simt_space;
/* Memory with a shadow. */
typedef struct simt_region {
    char *at;
    size_t size;
    simt_space space;
    bool is_managed; /* the host may access it */
    bool is_freed;
    char name[48];  /* "As", "device memory 2" */
    size_t element; /* for a shared variable: bytes of an element, dimensions */
    int rank;
    size_t extent[4];
    char *whole; /* including guards */
    size_t whole_size;
    const char *file; /* of its declaration */
    int line;
    struct simt_chunk **chunk;
} simt_region;

/* The current launch; `running` only while a fibre runs. */
typedef struct simt_run {
    bool running, broken; /* broken: this launch ends with `error` */
    int error;
    simt_config config;
    const char *kernel; /* name of the kernel */
    const void *function;
    void (*thread)(void *arg);
    void *arg;
    unsigned threads, warps;
    uint64_t blocks;
    uint32_t first_block, block; /* in the numbering over all launches */
    unsigned block_index[3];
    uint32_t epoch;
    simt_thread *self; /* the running fibre */
    size_t static_shared;
    bool has_read; /* has read device memory since the last barrier */
    unsigned waiting, done; /* threads of the block that wait for lanes of their warp; that have ended */
} simt_run;
extern simt_run simt_now;
extern simt_thread simt_threads[SIMT_MAX_THREADS];

/* ---- fibre.c ---- */
void simt_fibres_open(void);
void simt_fibre_start(simt_thread *t);  /* makes its next resume call simt_thread_main */
void simt_fibre_resume(simt_thread *t); /* called by the scheduler; returns when the fibre waits */
void simt_fibre_wait(void);             /* called by a fibre */
extern size_t simt_stack_bytes;
bool simt_is_stack(const void *p); /* True if p is on the stack of a fibre. */
bool simt_is_guard(const void *p);
void simt_thread_main(void);

/* ---- block.c ---- */
/* Ends a launch that cannot continue, from a fibre, with a CUDA error. */
_Noreturn void simt_break(int error);
void simt_stick(int error); /* Makes later calls return the error as well. */
int simt_sticky(void);

/* ---- warp.c ---- */
void simt_warp_join(simt_warp_op *op);
/* Performs pending operations that are ready, after a lane has left or if no lane can run. True if
 * there was one. */
bool simt_warp_settle(unsigned warp, bool is_stalled);
void simt_warp_order(unsigned warp, unsigned mask);

/* ---- memory.c ---- */
extern simt_region *simt_region_last[2]; /* found last: shared, and another one */
simt_region *simt_region_find(const void *p);

/* Returns the shared or global memory that p is in or near; NULL if there is none. */
static inline simt_region *simt_region_of(const void *p)
{
    for (int i = 0; i < 2; i++)
        if (simt_region_last[i] && (uintptr_t)p - (uintptr_t)simt_region_last[i]->at < simt_region_last[i]->size)
            return simt_region_last[i];
    return simt_region_find(p);
}
simt_region *simt_region_add(char *at, size_t size, simt_space space);
int simt_device_alloc(void **p, size_t size, bool is_managed);
int simt_device_free(void *p);
void simt_shared_begin_block(void);
void simt_shared_begin_launch(void);
/* Marks what the host wrote; returns 0, or the CUDA error if it is not within one allocation. */
int simt_host_wrote(const void *p, size_t n);
int simt_host_reads(const void *p, size_t n);
bool simt_is_image(const void *p);
/* False where no device memory is; host code accesses its stack and heap more than anything else. */
bool simt_may_be_device(const void *p);
/* Writes "As[1][3]", "device memory 2 + 64 bytes". */
void simt_name_of(const simt_region *r, const void *p, char *to, size_t n);

/* ---- host.c ---- */
/* Return the limit on dynamic shared memory for launches of the kernel, and static and dynamic
 * memory together. */
size_t simt_dynamic_limit(const void *kernel);
size_t simt_shared_limit(void);

/* ---- shadow.c ---- */
void simt_shadow_access(simt_region *r, const void *p, size_t n, int flags, uintptr_t pc);
void simt_shadow_host(simt_region *r, const void *p, size_t n);
/* Records that a copy has arrived: its destination is written now. */
void simt_shadow_arrive(simt_region *r, const void *p, size_t n, uint32_t pc);
void simt_shadow_free(simt_region *r);
void simt_sync_acquire(const void *at);
void simt_sync_release(const void *at);
void simt_sync_reset(void);

/* ---- access.c ---- */
void simt_access(const void *p, size_t n, int flags, uintptr_t pc);

/* ---- count.c ---- */
void simt_log(simt_region *r, const void *p, size_t n, int flags, uintptr_t pc);
/* Counts the logs of the lanes of the mask, which are all at the same point. */
void simt_count_warp(unsigned warp, unsigned mask);
typedef struct simt_count {
    uint32_t pc;
    uint8_t flags;
    uint16_t size;
    uint64_t accesses, lanes, bytes, wavefronts, conflicts, sectors, ideal;
    uint32_t worst; /* conflicts of the worst access */
} simt_count;
const simt_count *simt_counts(size_t *n);

/* Total work of launches so far, over all blocks. */
typedef struct simt_work {
    uint64_t shared_accesses, wavefronts, global_accesses, global_reads, sectors; /* of warps */
    uint64_t matrix, matrix_flops; /* matrix instructions */
    uint64_t phases; /* phases between two barriers that read device memory or wait for copies */
    unsigned ahead;  /* groups of copies in flight when one is waited for */
    uint64_t flops;  /* of all kinds */
} simt_work;
extern simt_work simt_worked;

/* ---- async.c ---- */
void simt_copies_finish(simt_thread *t, unsigned most);

/* ---- report.c ---- */
typedef enum simt_finding_kind {
    SIMT_RACE,
    SIMT_DIVERGENT,
    SIMT_LANES_MISSING,
    SIMT_OUT_OF_BOUNDS,
    SIMT_MISALIGNED,
    SIMT_UNWRITTEN,
    SIMT_TOO_EARLY,
    SIMT_HOST_ACCESS,
    SIMT_LIMIT,
    SIMT_CRASH,
    SIMT_NKINDS
} simt_finding_kind;
/* Adds a finding at `a`, and the conflicting location `b` (NULL: none). The texts are made once for
 * each kind and pair of locations. */
bool simt_found(simt_finding_kind kind, const simt_where *a, const simt_where *b);
void simt_found_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void simt_found_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Writes "thread (1,0,0) of block (0,0,0)". */
const char *simt_thread_name(unsigned linear, uint32_t block, char *to, size_t n);
void simt_report_launch(const simt_config *c, const char *kernel, size_t static_shared);
void simt_report(void);
simt_where simt_at_pc(uintptr_t pc);
simt_where simt_at_place(simt_place p);

/* ---- symbols.c ---- */
extern uintptr_t simt_image_base;  /* load address of the program */
uintptr_t simt_image_first(void); /* the same in its tables */
typedef struct simt_line {
    char file[200];
    int line;
} simt_line;
/* Looks up the lines of n addresses (relative to the program's first) in the program's tables. */
void simt_lines_of(const uint32_t *pc, simt_line *to, size_t n);
/* Returns the name of a function or variable; "" if it is not known. */
const char *simt_symbol_of(const void *p, uintptr_t *start, size_t *size);
#endif
