/* Ways: several functions compute what K does, each under a schedule of its own, and K takes that of the
 * nearest sizes. Behind the functions the file has, for a kernel K:
 *
 *     static int sq_K_log2(int64_t n)    log2 of a size in 1024ths, straight between powers of 2
 *     static int sq_K_way(sizes)         the number of the function: one at exactly these sizes, else the
 *                                        first of those whose points are least far, by the sum of
 *                                        |log2(size) - log2(size of the point)|
 *     void K(...)                        codegen/file/entries.h; K_in, K_workspace, K_accepts, K_on
 *
 * Where sizes are constants in the functions and parameters of K, those with K's values come into question. Without one
 * those do that have no constants; where there is none, K takes the sizes for refused. */
#ifndef SQ_CODEGEN_FILE_WAYS_H
#define SQ_CODEGEN_FILE_WAYS_H
#include "codegen/emit.h"

/* One of the functions. Those of one kernel stand together. */
typedef struct sq_way {
    const char *function;    /* "gemm_v1" */
    const sq_kernel *kernel; /* what it computes, with the constants that it is for */
    int npoints;             /* sizes that its schedule was made for */
    int64_t (*point)[SQ_MAX_SIZES];
    bool fails;       /* it returns 1 where there is no memory; else it is void */
    bool tests_sizes; /* there is a test of the sizes: `<function>_fits` */
} sq_way;

typedef struct sq_ways {
    int n;
    sq_way *of;
} sq_ways;

/* The number of the function that K takes at these sizes, in the order of size[]; -1: none. */
int sq_ways_pick(const sq_ways *w, const int64_t *sizes);
/* K, by o's name and linkage, and what belongs to it, behind the functions, which are static. */
void sq_ways_print(const sq_ways *w, const sq_emit_options *o, sq_text *to);
/* The same in a file of somebody else (o->is_embedded, o->may_fail), where the functions and K are static and there is
 * nothing else: K returns 1 where one of them does. With a test of the sizes there is K_fits, which asks them all
 * (codegen/file/ways_embedded.c). */
void sq_ways_print_embedded(const sq_ways *w, const sq_emit_options *o, sq_text *to);
/* sq_K_way and what it calls. */
void sq_ways_print_choice(const sq_ways *w, const char *function, sq_text *to);
/* "2 schedules, for", and lines with this margin: the sizes that there are functions for. */
void sq_ways_describe(const sq_ways *w, const char *margin, sq_text *to);
/* "M=1,N=512": the sizes that vary at a point, the constants of a kernel first; nothing where there are none. */
void sq_ways_sizes(const sq_kernel *k, const int64_t *point, sq_text *to);
/* True if there are constants to be met. */
bool sq_ways_ask(const sq_ways *w);
/* The same, and where there is no function for them K takes the sizes for refused: none is for all others. */
bool sq_ways_refuse(const sq_ways *w);
/* True if the nearest sizes decide. */
bool sq_ways_compare(const sq_ways *w);
/* Which sentences on how K chooses are to be said, of all kernels that there are. */
typedef struct sq_ways_rule {
    bool constants, others, nearest;
} sq_ways_rule;
void sq_ways_rule_add(sq_ways_rule *r, const sq_ways *w);
/* Lines of that. */
void sq_ways_rules(sq_ways_rule r, const char *margin, sq_text *to);
/* What `put` says of a kernel, of all kernels of the ways: once, if they are alike. w: NULL: of k. */
typedef void sq_ways_put(const sq_kernel *k, const char *margin, sq_text *to);
void sq_ways_about(const sq_ways *w, const sq_kernel *k, const char *margin, sq_ways_put *put, sq_text *to);
#endif
