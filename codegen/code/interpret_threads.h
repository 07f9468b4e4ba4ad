/* Interpret, threads: the threads of a block of a grid. They run in turn, each until the next statement at which
 * they meet, such as a barrier; each has variables, pointers and registers of its own, which are exchanged when
 * another one runs. A copy that is on its way is undefined memory until it is waited for. */
#ifndef SQ_CODE_INTERPRET_THREADS_H
#define SQ_CODE_INTERPRET_THREADS_H
#include "codegen/code/instruction.h"
#include "codegen/code/interpret_inside.h"

enum { SQ_RUN_WARP = 32 };

/* An element that an asynchronous copy will write. */
typedef struct sq_on_its_way {
    sq_cells *to;
    int64_t at, group;
    sq_number value;
    struct sq_on_its_way *next;
} sq_on_its_way;

/* A block whose threads run. */
struct sq_run_block {
    int n;       /* threads */
    int thread;  /* the one whose frame is in place */
    sq_thread_frame *frame;
    char *saved; /* the frames of all */
    sq_on_its_way **copies, *unused;
    int64_t *group; /* of the next copy of each thread */
};

/* Runs the threads of a block; s: the loop over them. */
void sq_run_threads(sq_interpretation *r, const sq_linked_step *s);
/* True for an instruction that several threads execute together. */
bool sq_run_meets(const sq_code_instruction *x);
/* Puts the frame of a thread in place, and back. */
void sq_run_enter(sq_interpretation *r, int thread);
void sq_run_leave(sq_interpretation *r);
/* interpret_matrix.c: runs an instruction of the current thread; one of all lanes of a warp, or of the four warps
 * of a warpgroup, from thread `first` on. */
void sq_run_instruction(sq_interpretation *r, const sq_linked_step *s);
void sq_run_warp(sq_interpretation *r, const sq_linked_step *s, int first);

/* Return operand `o` of an instruction in the current thread: a register that is read; an address, whose element is
 * *at of the result, NULL if there are not n elements; the value of an index. */
sq_number sq_run_read(sq_interpretation *r, const sq_linked_step *s, int o, int64_t element);
void sq_run_write(sq_interpretation *r, const sq_linked_step *s, int o, int64_t element, sq_number value);
sq_cells *sq_run_address(sq_interpretation *r, const sq_linked_step *s, int o, int64_t n, int64_t *at);
#endif
