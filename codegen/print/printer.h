/* Printer: the parts of a source file while nests are printed: vector operations in use, tile
 * functions, the body of the kernel's function; and short texts that all printers use. */
#ifndef SQ_CODEGEN_PRINT_PRINTER_H
#define SQ_CODEGEN_PRINT_PRINTER_H
#include "codegen/nest/lower.h"
#include "codegen/lower/leaf.h"
#include "codegen/print/optimize.h"
#include "codegen/tile/tile.h"
#include "codegen/isa/vector.h"

enum { SQ_MAX_SHAPES = 64 };

typedef struct sq_printer {
    const sq_emit_options *options;
    const sq_kernel *kernel;
    const sq_schedule *schedule; /* what is printed; NULL: for a device */
    sq_arena *arena;
    sq_code_pool *code; /* pool of the nests' expressions */
    const char *function;
    int nshapes;
    sq_vector shape[SQ_MAX_SHAPES];
    sq_text tiles;                       /* definitions of parts */
    const struct sq_printed_part *parts; /* … the parts that are defined there */
    sq_text memory;                      /* declarations at the head of the kernel's function */
    sq_text temporaries;                 /* … those of temporaries in the workspace */
    int ntaken;                          /* the temporaries */
    const sq_array **taken;
    bool has_loops; /* the loops are a function of its own, whose parameters the temporaries are */
    sq_text body;
    sq_loops_seen loops;           /* those of the body */
    sq_text bytes; /* statements that add up the temporaries' share of the workspace */
    sq_uses uses;  /* where what is printed now is recorded */
    sq_code_keys names, of_bytes, helpers; /* named by body and memory; by bytes; called in the file */
    struct {       /* what panels.c has allocated, in bytes */
        int64_t stack, shared, own; /* on the stack; in the workspace, shared and per thread */
        int64_t fusion_shared,
            fusion_own; /* the current fusion's share of the latter two */
        const struct sq_panel *panel;
    } space;
    const struct sq_printed_packed *packed; /* arrays that callers pass packed (codegen/file/packed.h) */
    int ntasks;            /* loops that became tasks (tasks.c) */
    const char *fallback;  /* function for sizes that violate an assumption; NULL: none */
    bool fallback_takes;   /* it takes a workspace: K_fallback_workspace and K_fallback_in exist */
    /* of a grid: prints a shared copy; the bytes of those of a kernel */
    void (*panel)(const sq_code *declare, void *printer, sq_text *to);
    int64_t block_bytes;
    sq_code_keys ints; /* of a kernel: see sq_c_printer */
} sq_printer;

/* Starts the record of what the texts name: p->uses. */
void sq_print_record(sq_printer *p);
/* Returns the vector shape with this number of lanes, the scalar for 1. The file has one object for
 * each. */
sq_vector *sq_print_shape(void *printer, sq_type type, int lanes);
/* Notes that the statement is computed in vectors with this number of lanes, for sq_compiled. */
void sq_print_note(const sq_printer *p, const sq_stmt *s, int lanes, bool overlaps);
/* Returns an expression as C text; this and the following are recorded. */
const char *sq_print_code(const sq_printer *p, const sq_code_expr *e);
#endif
