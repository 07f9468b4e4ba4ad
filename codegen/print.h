/* Print: nests -> C, inside this room. One sq_printer collects the pieces of a source file: vector
 * operations in use, tile functions, the body of the kernel's function. */
#ifndef SQ_CODEGEN_PRINT_H
#define SQ_CODEGEN_PRINT_H
#include "codegen/lower.h"
#include "codegen/tile.h"

enum { SQ_MAX_SHAPES = 64, SQ_MAX_VARIANTS = 1024 };

typedef struct sq_printer {
    const sq_emit_options *options;
    const sq_kernel *kernel;
    sq_arena *arena;
    const char *function;
    int nshapes;
    sq_vector shape[SQ_MAX_SHAPES];
    int nvariants;
    struct {
        const sq_nest *nest;
        sq_variant v;
    } variant[SQ_MAX_VARIANTS];
    sq_text tiles;  /* definitions of tile functions */
    sq_text memory; /* declarations at the head of the kernel's function */
    sq_text body;
    sq_text bytes;     /* statements that count what temporaries take of the workspace */
    const char *plain; /* function for sizes that break an assumption; NULL: none */
    bool serial;       /* inside a parallel loop, or none in this group */
} sq_printer;

/* Appends the nests to the body, and what they need to the other pieces. */
void sq_print_run(sq_printer *p, const sq_run *r);
/* The vector of so many lanes, the single value with 1: one for the whole file. */
sq_vector *sq_print_shape(sq_printer *p, sq_type type, int lanes);
/* The copy of one buffer, at the head of its loop. */
void sq_print_copy(sq_printer *p, const sq_buffer *b);
/* What helpers that copy elements of one type as another are called: "f16_f32". */
const char *sq_copy_name(sq_type from, sq_type to, sq_arena *arena);
/* Thread-local memory called `name`_memory, and the pointer `name` to it. */
void sq_print_memory(const char *name, const char *ctype, int64_t elements, sq_text *to);
void sq_print_pointer(const char *name, const char *ctype, sq_text *to);
/* The comment at the head of a file; nothing for NULL. */
void sq_print_provenance(const char *lines, sq_text *to);
/* Is `word` an identifier of the text. */
bool sq_text_mentions(const char *text, const char *word);
#endif
