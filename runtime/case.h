/* Case: one set of arguments for one kernel, and what the naive nest makes of them. A spec file
 * (text, written by the tuner) says what the parameters are, a data file holds the arrays' contents
 * before the call and after it. libc only: this part of Squall runs code that may do anything.
 *
 * The spec, one item a line:
 *     squall-case 1
 *     seed 17
 *     positive 0             1: values in [0.5, 1.5), for sqrt, log and division; else [-1, 1)
 *     reach 8 2              values up to 8 and near 0 as well, the largest at the ends of rows;
 *                            results are of the order of 8^2 at most
 *     special -14 14 1       arrays of the order of 2^-14, 1 and 2^14, those of f16 and bf16 with
 *                            the numbers at the ends of their ranges, and, if 1, at some draws with
 *                            infinities and NaN; rounding is relative to what results move by
 *     nonfinite 1 1          some inputs are infinities, NaN and zeros; with the first 1 zeros must have
 *                            the expected sign, with the second what is finite is compared, too
 *     thresholds 1           a part of the inputs equals scalars, or these, or nearly:
 *     threshold real 0.5     for floating numbers; `integer 17` for integers
 *     draws 16               how many inputs are tried, of one seed after the other
 *     spread 1               an element may differ by as much as it moves with the inputs, too
 *     integers small         at most 17 different ones around 0, or `all` of their type; `narrow`: all of 8
 *                            and 16 bits
 *     order 65536            results are of this order at most, whatever the inputs; scalars are in [0.5, 2)
 *     carried 0              1: a recurrence; see perturb.h
 *     steps 0                1: integers are made of rounded numbers, and a few may be off by one
 *     size M int32_t 512     parameters, in the order of the signature
 *     scalar alpha f32
 *     array C f32 inout 2 512 512
 *     rounding C 3.1e-05     a difference up to that*(1 + |expected|) is rounding, or to
 *                            that*(1 + |expected| + moves) of a recurrence; 0: every bit; with
 *                            `reach` 8^2 in place of 1, with `spread` this added
 *     align C 64             it begins at a multiple of 64 bytes wherever it stands
 *     sign C any             positive or not, whatever the others are
 *     fill C diagonal        well-conditioned contents, after the array's line: a heavy diagonal
 *     fill r small           or absolute values that add up to less than 1
 *     fill X extreme         or all of them near one end of the type's range, or infinite; `large`: of
 *                            the order of 2^20 */
#ifndef SQ_RUNTIME_CASE_H
#define SQ_RUNTIME_CASE_H
#include "runtime/element.h"
#include <stddef.h>
#include <stdint.h>

enum { SQ_CASE_DIMS = 8, SQ_CASE_THRESHOLDS = 8 };

/* Of an element that is rounding alone: it may be infinite or NaN instead, or anything. */
typedef enum sq_mark { SQ_MARK_INFINITE = 1, SQ_MARK_ANY = 2 } sq_mark;

/* Where in its mapping an array stands: its end against the unmapped page, its start against the
 * one before it, or as a well-behaved caller would have it, on a cache line, for timing. */
typedef enum sq_place { SQ_PLACE_END, SQ_PLACE_START, SQ_PLACE_ALIGNED } sq_place;

typedef struct sq_case_param {
    char kind; /* 's' size, 'c' scalar, 'a' array */
    sq_element type;
    char *name;      /* sq_case_free's */
    char role;       /* array: 'i' in, 'o' out, 'b' both */
    char fill;       /* array: 'd' diagonal, 's' small, 'e' extreme, 'l' large, 0: none of these */
    int has_signs;   /* array: not positive where the case is */
    double rounding; /* array */
    int ndim;
    int64_t extent[SQ_CASE_DIMS];
    size_t align;   /* it begins at a multiple; 0: anywhere */
    int64_t places; /* an array of integers that say subscripts, most of them below this; 0: none */
    size_t count, bytes;  /* of an array */
    size_t before, after; /* offsets of its contents in the data file */
    size_t moves;         /* and of a double: how far they move with the inputs, times as far */
    size_t marks;         /* of a byte an element of a recurrence's outputs: an sq_mark, or 0 */
    double least_size;  /* of an output at special inputs: what rounding is relative to, at least */
    double *spread;     /* of an output: of each element how far it moves with the inputs, times
                       as far; infinite where it may become infinite or no number. NULL: not known */
    unsigned char *map; /* mapping with an unmapped page at both ends */
    size_t map_bytes;
    unsigned char *at; /* the array */
    union {
        int64_t integer; /* narrower ones stand in its first bytes */
        double real;     /* of any floating type, the same */
    } value;
} sq_case_param;

/* What inputs are compared with. */
typedef struct sq_case_threshold {
    int is_real;
    double real;
    int64_t integer;
} sq_case_threshold;

typedef struct sq_case {
    uint64_t seed;
    int positive, steps, carried;
    int all_integers;    /* of so many bytes; of wider types, small ones */
    double reach, order; /* 0: none */
    int degree, spread, draws;
    int small, large, wide, no_number; /* special: 0, 0: none */
    int nonfinite, has_signs, bounded;
    int thresholds, nthresholds;
    sq_case_threshold threshold[SQ_CASE_THRESHOLDS];
    int nparams;
    sq_case_param *param; /* like arg, as many as the kernel has; sq_case_free */
    size_t data_bytes;
    unsigned char *data; /* the data file, mapped */
    void **arg;          /* what entry() gets */
} sq_case;

/* All return 0, or -1 with a sentence in why (at least 200 bytes). */
int sq_case_read(sq_case *c, const char *spec, char *why);
/* The same of a spec that is in memory. */
int sq_case_read_text(sq_case *c, const char *text, size_t n, char *why);
/* Frees what reading allocated; *c is as before it was read. What was mapped stays. */
void sq_case_free(sq_case *c);
/* Gives back the memory of the arrays, and that of data that is no file's; before sq_case_free. */
void sq_case_unmap(sq_case *c);
/* Maps the data file; with create, makes it and fills it from the seed. Without a path the data is
 * memory of this process alone. */
int sq_case_map(sq_case *c, const char *path, int create, char *why);
/* Places every array and fills it with its contents before the call; all around it and in outputs
 * lie NaNs of a known pattern. */
int sq_case_place(sq_case *c, sq_place place, char *why);
/* Stores the arrays as the expected contents (after a call of the reference). */
void sq_case_keep(sq_case *c);
/* From now on the data is only read. */
int sq_case_seal(sq_case *c, char *why);
/* 1 if its inputs are special in their types, else 0. */
static inline int sq_case_special(const sq_case *c)
{
    return c->large != 0;
}
/* Checks that all expected elements that the reference wrote are finite: two NaNs compare as equal,
 * so a test whose output is all NaNs would show nothing. 0 if so; -1 with the element's name in
 * why. */
int sq_case_finite(const sq_case *c, char *why);
/* Notes how far output `param` of a recurrence moves, as a multiple of what moves the inputs. */
void sq_case_moves(sq_case *c, int param, double times);
/* After a call: nothing outside the arrays and no input changed, every output element as expected.
 * *error: largest difference over the bound. */
int sq_case_check(const sq_case *c, double *error, char *why);
/* Describes an address that faulted: "8 bytes past the end of 'C'"; 0 if it belongs to no array.
 * Safe in a signal handler. */
int sq_case_locate(const sq_case *c, const void *address, char *to, size_t n);
#endif
