/* Landscape: the measured results of all points of a small space, in a file. Searches run on it without measuring, in
 * seconds, and the same seed gives the same run.
 *
 * The file has a JSON object a line, the first of which has a member "landscape", the version of the format: 3.
 *     {"landscape": 3, "kernel": "gemm M=64,N=64,K=64", "target": "avx2", "machine": "...",
 *      "coordinates": [{"name": "row.i", "values": [1, 2, 4], "axis": 0, "structural": false,
 *                       "mark": 0, "under": -1, "under_value": 0}, ...],   mark: an sq_coord_mark
 *      "start": [2, 0, ...], "candidates": 310}        under: the number of a coordinate before it; indices of values
 *     {"candidate": 0, "script": "tile(...)", "status": "ok", "seconds": 1.2e-05,
 *      "features": [[12.5, 0, ...], ...]}      "candidates" of these; of each statement 366 numbers, or no statement
 *     {"point": [0, 0, ...], "candidate": 0, "draft": 1.4e-05}     those that are legal, with the model's guess
 *     {"end": 4096}                                                how many points there were */
#ifndef SQ_TUNER_LANDSCAPE_H
#define SQ_TUNER_LANDSCAPE_H
#include "tuner/tune.h"

enum { SQ_LANDSCAPE_POINTS = 100000 }; /* at most */

/* The result that all points of one script share. */
typedef struct sq_landscape_candidate {
    const char *script;
    sq_status status; /* SQ_NSTATUSES: not known yet */
    double seconds;   /* of one call, where it is SQ_OK */
    int nrows;        /* its statements, as a learned model reads them */
    float (*row)[SQ_STATEMENT];
} sq_landscape_candidate;

typedef struct sq_landscape {
    const char *label, *target, *machine;
    sq_space space; /* points of one candidate have one name */
    int npoints;
    int *candidate; /* of each point, by its number; -1: rejected by the model */
    double *draft;  /* predicted seconds of each; INFINITY there */
    int ncandidates;
    sq_landscape_candidate *of;
} sq_landscape;

/* Converts a point to its number, whose digits are the indices, lowest first; and back. */
int sq_landscape_number(const sq_space *s, const int *point);
void sq_landscape_point(const sq_space *s, int number, int *point);
/* Prints a file; all candidates must be known. Returns -1 if some text in it is not UTF-8. */
int sq_landscape_print(const sq_landscape *l, sq_text *to);
/* Reads a file into the arena. Returns -1 after adding an error with the line in question. */
int sq_landscape_read(sq_landscape *l, const char *path, sq_arena *arena, sq_diags *d);

/* Options of a run on a landscape. */
typedef struct sq_landscape_run {
    const sq_search *search;
    unsigned long long seed;
    long trials;    /* at most; 0: until the search ends */
    sq_prior prior;
    bool has_model; /* the search gets the model's drafts; otherwise it starts at the least known values */
    /* As those of sq_tune_options. */
    volatile sig_atomic_t *cancel;
    void (*progress)(const sq_tune_state *state, const sq_tune_trial *trial, void *user);
    void *user;
    long drafts; /* output: number of drafts requested */
} sq_landscape_run;

/* Runs a search as sq_tune does, except that trials are looked up, one at a time. Points without a candidate are
 * infeasible, and do not count as trials, as in sq_tune. Returns -1 after adding an error if the start did not run. */
int sq_landscape_replay(const sq_landscape *l, sq_landscape_run *run, sq_tune_state *result, sq_diags *d);
#endif
