/* Landscape: every point of a small space and what came of it when it was measured, in a file. Searches run on it
 * without a machine: the same seed gives the same run, in seconds.
 *
 * The file has a JSON object a line, the first of which has a member "landscape", the version of the format: 3.
 *     {"landscape": 3, "kernel": "gemm M=64,N=64,K=64", "target": "avx2", "machine": "...",
 *      "coordinates": [{"name": "row.i", "values": [1, 2, 4], "axis": 0, "structural": false,
 *                       "mark": 0, "under": -1, "under_value": 0}, ...],   mark: 1 unrolls, 2 threads, 0 neither
 *      "start": [2, 0, ...], "candidates": 310}        under: the number of a coordinate before it; indices of values
 *     {"candidate": 0, "script": "tile(...)", "status": "ok", "seconds": 1.2e-05,
 *      "features": [[12.5, 0, ...], ...]}      "candidates" of these; of each statement 366 numbers, or no statement
 *     {"point": [0, 0, ...], "candidate": 0, "draft": 1.4e-05}     those that are legal, with the model's guess
 *     {"end": 4096}                                                how many points there were */
#ifndef SQ_TUNER_LANDSCAPE_H
#define SQ_TUNER_LANDSCAPE_H
#include "tuner/tune.h"

enum { SQ_LANDSCAPE_POINTS = 20000 }; /* at most */

/* What points of one script have in common. */
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
    int *candidate; /* of each point, by its number; -1: the model is sure that it is of no use */
    double *draft;  /* predicted seconds of each; INFINITY there */
    int ncandidates;
    sq_landscape_candidate *of;
} sq_landscape;

/* The number of a point: its indices as digits, the first coordinate's the lowest. The other way, the point. */
int sq_landscape_number(const sq_space *s, const int *point);
void sq_landscape_point(const sq_space *s, int number, int *point);
/* As text of a file; all candidates are known. -1 where some text of it is not UTF-8. */
int sq_landscape_print(const sq_landscape *l, sq_text *to);
/* Reads a file into the arena. -1 after adding an error, with the line of what is wrong there. */
int sq_landscape_read(sq_landscape *l, const char *path, sq_arena *arena, sq_diags *d);

/* What a run on a landscape is told. */
typedef struct sq_landscape_run {
    const sq_search *search;
    unsigned long long seed;
    long trials;    /* at most; 0: until the search ends */
    sq_prior prior;
    bool has_model; /* the search gets the model's guesses; without, it starts at the least values that are known */
    /* As those of sq_tune_options. */
    volatile sig_atomic_t *cancel;
    void (*progress)(const sq_tune_state *state, const sq_tune_trial *trial, void *user);
    void *user;
    long drafts; /* counted here: how often the model was asked */
} sq_landscape_run;

/* Runs a search as sq_tune does, but that a trial is looked up, and the next point asked for when it is told. Points
 * without a candidate are infeasible; as in sq_tune what is infeasible is no trial. -1 after adding an error: the start
 * is not known to run. */
int sq_landscape_play(const sq_landscape *l, sq_landscape_run *run, sq_tune_state *result, sq_diags *d);
#endif
