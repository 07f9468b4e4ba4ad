/* Report parts: what several pages of --html (cli/report.h) have in common. */
#ifndef SQ_CLI_REPORT_PARTS_H
#define SQ_CLI_REPORT_PARTS_H
#include "cli/html/html.h"
#include "cli/measure.h"
#include "cli/report.h"
#include "codegen/counted.h"

/* Writes the page to o->html, below the command line as it was given, and frees it. -1 after adding an error. */
int sq_report_write(sq_html *h, const sq_settings *o, sq_diags *d);
/* A member of an object of a command's JSON: "" and NAN where it has none. */
const char *sq_report_text(const json_t *object, const char *key);
double sq_report_number(const json_t *object, const char *key);
/* True if the line of the emitted text has the word. */
bool sq_report_line_holds(const sq_line *x, const char *word);
/* "1.23 ms" as a cell with its value, or "-" for what has none (NAN). */
void sq_report_seconds(sq_html *h, double seconds);
/* What makes such times numbers that are read easily: 1e3 and "ms". */
double sq_report_unit(double seconds, const char **unit);
/* "269 Mflop", "4.19 MB": a number with its prefix, in the arena. */
const char *sq_report_amount(double n, const char *unit, sq_arena *arena);

/* ---- report_map.c: which lines of an emitted text belong to which statements ---- */

enum { SQ_REPORT_STMTS = 64 };
typedef struct sq_text_map {
    int n;
    sq_line *line;   /* of the text, which they point into */
    uint64_t *stmts; /* of each line: bits of statements, by their place in the schedule's kernel */
    bool *
        begins; /* a place to go to: the first line of a statement's loops, or of a function of its tile */
} sq_text_map;
/* Of a text that was emitted with marks (sq_emit_options), which are no lines of it; in the arena. Statements
 * beyond the first SQ_REPORT_STMTS have none. */
sq_text_map sq_text_map_of(const sq_schedule *s, const char *text, sq_arena *arena);
/* The lines of any text, of no statement. */
sq_text_map sq_text_map_lines(const char *text, sq_arena *arena);
/* The text without marks, appended. */
void sq_text_map_text(const sq_text_map *m, sq_text *to);

/* ---- report_code.c, report_tree.c: a schedule and its code ---- */

/* Cycles of arithmetic of a step of a counted loop: the hot one has most. */
double sq_report_arithmetic(const sq_counted_loop *x, const sq_machine *m);
/* A kernel as schedule s computes it: the description, the schedule's words and its tree, the emitted text, linked in
 * both directions, and the assembly of its hot loop. `said`: where the schedule is from. A text that cannot be
 * emitted is a sentence. */
void sq_report_code(sq_html *h, sq_task *task, const sq_schedule *s, const char *said);
/* The loop tree beside that text, its loops linked with the emitted ones. id: of the listing, "k0". */
void sq_report_tree(sq_html *h, const sq_schedule *s, const sq_text_map *map, const char *id,
                    sq_diags *d, sq_arena *arena);
/* The calls of a script, each with what its transform does; of_tile: only those that make its register tile. */
void sq_report_words(sq_html *h, const char *script, bool of_tile);

/* ---- report_hot.c: the loop that runs most ---- */

/* Compiles the text of schedule s and shows the loop of its register tile, or its innermost one with most
 * multiply-adds, beside the words of `script` that made it. id: of the listing of `map`. */
void sq_report_hot(sq_html *h, sq_task *task, const sq_schedule *s, const sq_text_map *map, const char *id,
                   const char *script);

/* ---- report_roof.c ---- */

/* Lines that bound all kernels of a machine, and points below them. */
typedef struct sq_roofline {
    double peak; /* GFLOP/s */
    int nlevels;
    const char *level[SQ_LEVELS];
    double bandwidth[SQ_LEVELS]; /* GB/s */
    int n;
    const char *const *name;
    const double *intensity, *gflops; /* flop a byte; of each point */
    const char *caption;
} sq_roofline;
/* The levels that were measured with a number of threads. */
void sq_roofline_levels(sq_roofline *to, const sq_roofs *roofs, int threads);
/* Nothing where the kernel computes nothing in floating point. */
void sq_report_roofline(sq_html *h, const sq_roofline *r);
#endif
