/* Printer: the parts of a source file while nests are printed: vector operations in use, tile
 * functions, the body of the kernel's function; and the short texts that all printers put together.
 */
#ifndef SQ_CODEGEN_PRINT_PRINTER_H
#define SQ_CODEGEN_PRINT_PRINTER_H
#include "codegen/nest/lower.h"
#include "codegen/lower/leaf.h"
#include "codegen/tile/tile.h"
#include "codegen/isa/vector.h"

enum { SQ_MAX_SHAPES = 64 };

typedef struct sq_printer {
    const sq_emit_options *options;
    const sq_kernel *kernel;
    sq_arena *arena;
    sq_code_pool *code; /* of the nests' expressions */
    const char *function;
    int nshapes;
    sq_vector shape[SQ_MAX_SHAPES];
    sq_text tiles;                       /* definitions of parts */
    const struct sq_printed_part *parts; /* … that are there */
    sq_parts leaves;                     /* of a grid's nests */
    sq_text memory;                      /* declarations at the head of the kernel's function */
    sq_text body;
    sq_text bytes; /* statements that count what temporaries take of the workspace */
    struct {       /* what panels.c has given away, in bytes */
        int64_t stack, shared, own; /* on the stack; of the workspace: once, for each thread */
        int64_t fusion_shared,
            fusion_own; /* of those two, what the fusion that is printed has taken */
        const struct sq_panel *panel;
    } space;
    int ntasks;            /* loops that became tasks (tasks.c) */
    const char *fallback;  /* function for sizes that break an assumption; NULL: none */
    bool fallback_takes;   /* it takes a workspace: there are K_fallback_workspace and K_fallback_in */
    int threads;           /* of a block, of the kernel that is printed; 0: no grid */
    bool async;            /* shared copies are started here and arrive later */
    bool in_shared_loop;            /* inside a loop that threads of a block share */
    struct sq_tile *held;  /* the tile whose steps the next leaf is */
    const sq_node *steady; /* the loop around that print_steady.c has begun; NULL: none */
    const sq_code_expr *guard; /* condition of those steps; NULL: always */
} sq_printer;

/* The vector with this number of lanes, the single value with 1: one for the whole file. */
sq_vector *sq_print_shape(sq_printer *p, sq_type type, int lanes);
/* The same of a printer that is not known as one: for sq_c_printer. */
sq_vector *sq_print_shape_of(void *printer, sq_type type, int lanes);
/* The statement is computed in vectors with this number of lanes: for sq_compiled. */
void sq_print_note(const sq_printer *p, const sq_stmt *s, int lanes, bool overlaps);
/* An expression as C text. */
const char *sq_print_code(const sq_printer *p, const sq_code_expr *e);
/* "for (int64_t i = lo; i < hi; i += step) {" into the body; step is the loop's own times `share`. */
void sq_print_loop_head(sq_printer *p, const sq_node *x, const sq_code_expr *lo, int64_t share);
/* "A + 4 * i": a pointer and an offset from it. */
const char *sq_print_pointer(const sq_printer *p, const char *base, const sq_code_expr *offset);
#endif
