/* Search: which point of a space to measure next. A point is one index into the sorted values of
 * each coordinate; searches know nothing of kernels, so that all of them run on synthetic spaces in
 * a test. A family: one file and one row in search.c each. */
#ifndef SQ_TUNER_SEARCH_SEARCH_H
#define SQ_TUNER_SEARCH_SEARCH_H
#include "support/text.h"
#include <stdbool.h>

enum { SQ_MAX_COORDS = 256 };

/* What the first SQ_PRIOR_FEATURES numbers of a statement are called where a file keeps what was learned from them:
 * another name as soon as one of them means something else. */
#define SQ_FEATURES_NAME "ansor-1 pruner-1"

/* Numbers that describe a statement of a point's code: the features of Ansor (tuner/model/ansor_features.h), the draft
 * and the flow of data of Pruner (tuner/model/pruner_features.h). */
enum {
    SQ_FEATURES = 164,
    SQ_DRAFT = SQ_FEATURES, /* where it begins */
    SQ_DRAFT_NUMBERS = 10,
    SQ_FLOW = SQ_DRAFT + SQ_DRAFT_NUMBERS,
    SQ_PRIOR_FEATURES = SQ_FLOW, /* what is learned for other kernels reads these: the features and the draft */
    SQ_FLOW_STEPS = 8,
    SQ_FLOW_NUMBERS = 24, /* of a step */
    SQ_STATEMENT = SQ_FLOW + SQ_FLOW_STEPS * SQ_FLOW_NUMBERS,
    SQ_STATEMENTS = 64 /* at most that are described */
};
/* Of a draft: seconds of the operations and of the bytes that a statement moves, as the machine's limits allow, then
 * the shares of these limits that it can reach, from 0 to 1. */
typedef enum sq_draft_number {
    SQ_DRAFT_COMPUTE,
    SQ_DRAFT_MEMORY,
    SQ_DRAFT_REGISTERS, /* vectors held at once fit the registers */
    SQ_DRAFT_LOADS,     /* multiply-adds beside loads */
    SQ_DRAFT_CHAINS,    /* sums that do not wait for each other */
    SQ_DRAFT_LANES,     /* lanes in use */
    SQ_DRAFT_THREADS,   /* threads in use */
    SQ_DRAFT_L1,        /* what a register tile touches fits the first cache */
    SQ_DRAFT_L2,        /* what a block touches fits the second */
    SQ_DRAFT_RUN        /* bytes of the lines that it touches are in use */
} sq_draft_number;

/* What a coordinate says of loops, where it is no size and no structure. */
typedef enum sq_coord_mark { SQ_COORD_UNMARKED, SQ_COORD_UNROLLS, SQ_COORD_THREADS, SQ_COORD_MARKS } sq_coord_mark;

/* What a coordinate is: that of its mark, if it has one. */
typedef enum sq_coord_kind {
    SQ_COORD_OF_SIZE,
    SQ_COORD_OF_STRUCTURE,
    SQ_COORD_OF_UNROLLING,
    SQ_COORD_OF_THREADS,
    SQ_COORD_KINDS
} sq_coord_kind;

typedef struct sq_coord {
    char name[48]; /* "tile.i1" */
    int nvalues;
    const long *value; /* ascending; the search moves among indices */
    int axis;        /* coordinates of one axis are levels of one dimension: a factor may move from
                        one to another; -1: no size */
    bool structural; /* order, packing, vector dimension: points that differ here are of different
                        kinds */
    sq_coord_mark mark;
    int under, under_value; /* of importance only where coordinate under-1 has that value, by index;
                               0: always */
} sq_coord;

typedef struct sq_space {
    int n;
    sq_coord coord[SQ_MAX_COORDS];
    int start[SQ_MAX_COORDS]; /* the untuned choice: always the first point measured */
    /* What a point is called: points of one name are one point, so that a coordinate without effect
       at a point does not exist there. NULL: its coordinates are its name. */
    void (*name)(void *user, const int *point, sq_text *to);
    void *user;
} sq_space;

/* What became of a point. */
typedef struct sq_told {
    int point[SQ_MAX_COORDS];
    bool valid;  /* built, ran, verified */
    double cost; /* seconds, drift taken out: comparable between any two points of one run */
    bool wins;   /* is the incumbent from now on: significantly faster than the one before */
} sq_told;

/* The points that were asked already, by name; shared by searches that run together. The space must
 * outlive it. */
typedef struct sq_seen sq_seen;
sq_seen *sq_seen_new(const sq_space *space);
/* false if it was there. */
bool sq_seen_add(sq_seen *s, const int *point);
bool sq_seen_has(const sq_seen *s, const int *point);
sq_seen *sq_seen_free(sq_seen *s);

/* What was learned of other kernels, and of this one at other sizes: trees that read the first SQ_PRIOR_FEATURES
 * numbers of statements, whose scores add up to the speed of a point, 1 for the fastest. `now` returns those that there
 * are now, NULL if there are none; they stay until the search is closed. */
typedef struct sq_prior {
    const struct sq_forest *(*now)(void *user); /* NULL: there never are */
    void *user;
} sq_prior;

typedef struct sq_search_options {
    unsigned long long seed;
    double (*draft)(void *user,
                    const int *point); /* predicted seconds; INFINITY: not legal; NULL */
    void *draft_user;
    /* The statements of a point's code, a row each, as a learned model reads them. Returns their number; 0: nobody can
       tell; -1: the point has no code. NULL. */
    int (*features)(void *user, const int *point, float (*row)[SQ_STATEMENT]);
    void *features_user;
    sq_prior prior;
    double (*spent)(void *user); /* share of the budget used up, 0 to 1; NULL: unlimited */
    void *spent_user;
    int storm_trials; /* the length of a storm, which ends early when it finds nothing for long; 0: none
                         end */
    bool follows;     /* a storm after others: what was told before leads it from the first point */
    sq_seen *seen;    /* NULL: the search's own */
} sq_search_options;

typedef struct sq_seek sq_seek;
typedef struct sq_search {
    const char *name, *doc;
    /* The space must outlive it. */
    sq_seek *(*open)(const sq_space *space, const sq_search_options *o);
    /* 1: point[] filled, never the same twice; 0: nothing until something is told; -1: finished.
     * May be called again before earlier points are told. */
    int (*ask)(sq_seek *s, int *point);
    /* Also takes points that ask() did not give: from a store, from another search. */
    void (*tell)(sq_seek *s, const sq_told *t);
    sq_seek *(*close)(sq_seek *s);
    const char *(*lacks)(void); /* what it needs and this machine has not; NULL: it needs nothing, or has it */
    bool has_prior; /* it begins with what was learned before, where the options have that */
    int by_chance; /* points that it draws before what it is told leads it, without a prior; 0: all it does is led, or
                      nothing is */
    const char *ends; /* why it has finished when ask() says so: "every point was tried" */
    /* How far it is, in a few words for who watches, into to (n bytes): "storm, 12 of 40 points"; NULL: there is
       nothing to say. */
    void (*says)(const sq_seek *s, char *to, size_t n);
} sq_search;

/* False where the model is sure that a point is of no use. */
bool sq_search_legal(const sq_search_options *o, const int *point);

/* All rows, ended by NULL; the first is the default. */
extern const sq_search *const sq_searches[];
const sq_search *sq_search_get(const char *name);
extern const sq_search sq_search_default, sq_search_storm, sq_search_raindrop, sq_search_random, sq_search_grid,
    sq_search_genetic, sq_search_annealing, sq_search_boosted, sq_search_droplet, sq_search_ansor, sq_search_meta,
    sq_search_pruner, sq_search_beam;
/* Searches without what they are made of, for comparisons; ended by NULL. Not among the others, but found by name. */
extern const sq_search *const sq_search_ablations[];
extern const sq_search sq_search_ansor_unled, sq_search_ansor_unevolved, sq_search_droplet_single,
    sq_search_meta_unled, sq_search_meta_undescended, sq_search_pruner_undrafted, sq_search_pruner_unverified,
    sq_search_pruner_unpenalised, sq_search_pruner_trees, sq_search_pruner_mlp, sq_search_beam_greedy,
    sq_search_beam_dropout, sq_search_beam_unled, sq_search_beam_unrefined;

/* False where the coordinate has one value, or is of no importance at the point. */
bool sq_space_varies(const sq_space *s, const int *point, int coord);
sq_coord_kind sq_coord_kind_of(const sq_coord *c);
/* The index of the value of a coordinate that is the fewest times larger or smaller than v. */
int sq_coord_nearest(const sq_coord *c, long v);
/* The value of a coordinate at a point. */
long sq_space_value(const sq_space *s, const int *point, int coord);
/* Number of points; a double because it is soon more than an integer holds. */
double sq_space_size(const sq_space *s);
/* Coordinates that are of no importance at a point start: of points that mean the same one is left.
 * A coordinate comes after the one it is under. */
void sq_space_settle(const sq_space *s, int *point);
/* True if they differ in a structural coordinate. */
bool sq_space_other_kind(const sq_space *s, const int *a, const int *b);

/* The point of `to` that has the values of another space's point, or those next to them; the start's where that space
 * has no coordinate of the name. */
void sq_space_transfer(const sq_space *from, const int *point, const sq_space *to, int *moved);

/* A walk through all points there are, one of each name: the start, those that differ from it in one
 * coordinate, in two … (walk.c). What is not legal is passed through, not given. */
typedef struct sq_walk sq_walk;
sq_walk *sq_walk_new(const sq_space *space, const sq_search_options *o);
/* The next one that is not in `seen`, which it is added to; false: there is none. */
bool sq_walk_next(sq_walk *w, sq_seen *seen, int *point);
sq_walk *sq_walk_free(sq_walk *w);
#endif
