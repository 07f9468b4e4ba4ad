/* Online: the parts of online(): what it finds (online_find.c) and the result (online_make.c).
 * Private to these files.
 *
 * A maximum m[r] = rmax(x(r, j), j) and sums a[r, d] = sum(exp(x(r, j) - m[r]) * g, j) over the
 * same j, where g does not depend on m, are run tile by tile of j. The sums are homogeneous in
 * exp(-m): with the maximum of the tiles so far in m's place they differ by the factor exp(m_old -
 * m_new), by which they are multiplied when it changes. So x and exp(x - m) are needed for one tile
 * at a time. */
#ifndef SQ_TRANSFORMS_ONLINE_H
#define SQ_TRANSFORMS_ONLINE_H
#include "transforms/edit.h"

enum { SQ_MAX_MEMBERS = 16 };

typedef enum sq_member_kind {
    SQ_MEMBER_MAKES, /* fills a temporary that x reads, moved into the tiles */
    SQ_MEMBER_MAXIMUM,
    SQ_MEMBER_SUMS
} sq_member_kind;

/* A statement that is run in tiles. */
typedef struct sq_online_stmt {
    sq_member_kind kind;
    const sq_stmt *stmt;
    int row[SQ_MAX_DIMS];  /* its dimensions that correspond to the free ones of the maximum */
    int j;                 /* its dimension that corresponds to j */
    const sq_expr *factor; /* SUMS: exp(x - m) in its body */
    bool in_place;         /* SUMS: its array holds the running sums */
} sq_online_stmt;

typedef struct sq_online {
    const sq_schedule *s;
    const sq_kernel *k;
    const sq_stmt *most; /* the maximum */
    int64_t tile;
    sq_op exp;            /* SQ_OP_EXP or SQ_OP_EXP2 */
    int nmembers, nmoved; /* in textual order */
    sq_online_stmt member[SQ_MAX_MEMBERS];
    const sq_array *moved[SQ_MAX_MEMBERS]; /* arrays of which only a tile is kept */
    int moved_sub[SQ_MAX_MEMBERS];         /* their subscript that is j */
    bool after[256]; /* per statement of k that is not a member: runs after the tiles */
    const char **why;
    sq_culprit *at;
} sq_online;

/* Checks that `most` is a maximum over one index that can be run in tiles; -1 with *why. */
int sq_online_maximum(sq_online *o);
/* Finds the statements that belong to the maximum. -1 with *why if they cannot be run in tiles. */
int sq_online_find(sq_online *o);
const sq_online_stmt *sq_online_member(const sq_online *o, const sq_stmt *s);
/* Returns the number of a moved array, or -1. */
int sq_online_moved(const sq_online *o, const sq_array *a);
/* Returns { from -> to } of instances: dimension d of `to` is src[d] of `from`. Takes both
 * spaces. */
isl_multi_aff *sq_online_map(isl_space *from, isl_space *to, const int *src);

/* The statements of the tiles in the new kernel: [first, last), inside the loop of this name. */
typedef struct sq_online_tiles {
    const sq_stmt *most; /* the maximum as described */
    const char *loop;
    int first, last;
} sq_online_tiles;
/* Returns the schedule that online() produces; NULL if it exceeds a schedule's limits. */
const sq_schedule *sq_online_schedule(const sq_kernel *k, const sq_online_tiles *m);

/* Returns the kernel that runs them in tiles, as its schedule; NULL with *why. */
const sq_schedule *sq_online_make(sq_online *o, const char *call);
#endif
