/* Transforms: functions from schedule to schedule, one per file, with a row each in transforms.c. A
 * script is a sequence of calls, `tile(i:48, j:256) pack(B at k0 as j16) micro(i:6, j:16 | k)`;
 * scripts of a person, a .sched file and the tuner all go through sq_script_apply, and legality is
 * checked after every call. In kernels of several groups `S1: tile(…)` names the group by one of
 * its statements for all calls that follow; without it the first group is meant. `tile(S1.i:48)` does so for
 * one call. */
#ifndef SQ_TRANSFORMS_TRANSFORM_H
#define SQ_TRANSFORMS_TRANSFORM_H
#include "ir/machine/machine.h"
#include "ir/schedule/schedule.h"

enum { SQ_MAX_ARGS = 40 };

/* A factor of a product that follows a colon, `2*lanes` or `l1/64`. */
typedef struct sq_factor {
    bool divides;
    bool is_lanes;  /* lanes of the group's type: number is the bytes of a vector */
    int64_t number; /* its value, from the script or the machine */
    struct sq_factor *next;
} sq_factor;

/* An argument, as written: `i:48`, `S1.i:48`, `j0`, `B`, `4`; sections are separated by `|`, `at` and `as`. */
typedef struct sq_arg {
    const char *stmt; /* `S1` of `S1.i:48`; NULL: no statement is named */
    const char *name; /* "" for a bare number */
    int64_t value;    /* after the colon, or the bare number */
    const sq_factor *product; /* the value as a product, which depends on the call's group; NULL: a number */
    bool has_value;
    char word[16]; /* a name after the colon, "" without: `fuse:max` */
    char section;  /* 0 in the first section, then '|', 't' (after `at`), 's' (after `as`) */
    sq_loc loc;
} sq_arg;

typedef struct sq_call {
    const char *name;
    int nargs;
    sq_arg arg[SQ_MAX_ARGS];
    sq_loc loc;
} sq_call;

/* What of a call is refused. */
typedef struct sq_culprit {
    int arg;           /* -1: the call as a whole */
    const char *meant; /* the word that was probably meant instead of the argument's name; NULL: none is near */
} sq_culprit;

/* What calls of a transform are about. */
typedef enum sq_about {
    SQ_ABOUT_TILES,     /* the current group, which has loops around a register tile */
    SQ_ABOUT_BANDS,     /* the same, or loops that one statement of a tree has by itself */
    SQ_ABOUT_LOOPS,     /* the loops of the current group, of whatever kind */
    SQ_ABOUT_STATEMENTS /* the statements that it names */
} sq_about;

typedef struct sq_transform {
    const char *name;
    const char *args;    /* the form of its arguments: "tile(dim:points, …)" */
    const char *doc;     /* one sentence */
    const char *example; /* a legal call on gemm, for docs and tests */
    const char *refused; /* a call on gemm that must be refused, for tests */
    /* Changes g (a group of s). Returns 0; or -1 with *why, a sentence in the user's names, and *at,
     * what it concerns. The caller checks the dependences. */
    int (*apply)(sq_schedule *s, sq_group *g, const sq_call *call, const char **why, sq_culprit *at);
    sq_about about;
} sq_transform;

/* All rows, terminated by a NULL name. */
extern const sq_transform sq_transforms[];
const sq_transform *sq_transform_get(const char *name);

/* Applies a script to s (in place; unchanged on failure). `file` is its name in messages. A refusal
 * is an error with SQ_FAULT_REFUSED, a syntax error one with SQ_FAULT_INPUT. Returns -1 on either.
 * '#' starts a comment that runs to the end of the line. */
int sq_script_apply(sq_schedule *s, const char *script, const char *file, sq_arena *arena,
                    sq_diags *d);
/* Does the same for a script that people have written for several machines: lanes, registers, l1, l2
 * and l3 in it are those of this machine. sq_script_apply refuses these words. */
int sq_script_apply_on(sq_schedule *s, const char *script, const char *file, const sq_machine *machine,
                       sq_arena *arena, sq_diags *d);
/* Returns why a schedule is not accepted, or NULL. The text lives as long as the schedule's
 * kernel. */
typedef const char *sq_objection(const sq_schedule *s, void *user);
/* Finds the call that causes the objection to the result of a script applied to `before`, adds a
 * refusal of it, and returns -1. Returns 0 if no call does. */
int sq_script_blame(const sq_schedule *before, const char *script, const char *file, const sq_machine *machine,
                    sq_objection *objection, void *user, sq_diags *d);
/* Applies a generated script as sq_script_apply does, without diagnostics; true if it is legal. */
bool sq_script_try(sq_schedule *s, const char *script, sq_arena *arena);
#endif
