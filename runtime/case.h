/* Case: one set of arguments for one kernel, and the naive nest's results for it. A spec file
 * (text, written by the tuner) describes the parameters, a data file holds the arrays' contents
 * before the call and after it. libc only: this part of Squall runs untrusted code.
 *
 * The spec has one item per line:
 *     squall-case 1
 *     seed 17
 *     positive 0             1: values in [0.5, 1.5), for sqrt, log and division; else [-1, 1)
 *     reach 8 2              values up to 8 and near 0 as well, the largest at the ends of rows;
 *                            results are of the order of 8^2 at most
 *     special -14 14 1       arrays of the order of 2^-14, 1 and 2^14, those of f16 and bf16 with
 *                            the numbers at the ends of their ranges, and, if 1, at some draws with
 *                            infinities and NaN; rounding is relative to the results' sensitivity
 *     nonfinite 1 1          some inputs are infinities, NaN and zeros; with the first 1 zeros must have
 *                            the expected sign, with the second finite elements are compared too
 *     thresholds 1           some inputs equal scalars, or these thresholds, exactly or nearly:
 *     threshold real 0.5     for floating-point numbers; `integer 17` for integers
 *     draws 16               number of inputs that are tried, from successive seeds
 *     spread 1               the bound of an element grows by its sensitivity to the inputs
 *     integers small         at most 17 different ones around 0, or `all` of their type; `narrow`: all of 8
 *                            and 16 bits
 *     order 65536            results are of this order at most, whatever the inputs; scalars are in [0.5, 2)
 *     carried 0              1: a recurrence; see perturb.h
 *     steps 0                1: integers are made of rounded numbers, and a few may be off by one
 *     size M int32_t 512     parameters, in the order of the signature
 *     scalar alpha f32
 *     array C f32 inout 2 512 512
 *     rounding C 3.1e-05     a difference up to that*(1 + |expected|) is rounding, or to
 *                            that*(1 + |expected| + moves) for a recurrence; 0: bitwise equal; with
 *                            `reach` 8^2 in place of 1, with `spread` this added
 *     align C 64             it begins at a multiple of 64 bytes at every place
 *     within I 0 99          elements are from 0 to 99, both among them; where there is no such number,
 *                            the first one
 *     sign C any             of both signs, whatever the others are
 *     fill C diagonal        well-conditioned contents, after the array's line: a dominant diagonal
 *     fill r small           or absolute values that add up to less than 1
 *     fill X extreme         or all of them near one end of the type's range, or infinite; `large`: of
 *                            the order of 2^20 */
#ifndef SQ_RUNTIME_CASE_H
#define SQ_RUNTIME_CASE_H
#include "runtime/element.h"
#include <stddef.h>
#include <stdint.h>

enum { SQ_CASE_DIMS = 8, SQ_CASE_THRESHOLDS = 8 };

/* The state of an element that only holds rounding errors: it may become infinite or NaN, or
 * anything. */
typedef enum sq_element_mark { SQ_MARK_INFINITE = 1, SQ_MARK_ANY = 2 } sq_element_mark;

/* Where an array is in its mapping: with its end at the unmapped page, with its start at the one
 * before it, or at a cache line, as a well-behaved caller would have it, for timing. */
typedef enum sq_place { SQ_PLACE_END, SQ_PLACE_START, SQ_PLACE_ALIGNED } sq_place;

typedef struct sq_case_param {
    char kind; /* 's' size, 'c' scalar, 'a' array */
    sq_element type;
    char *name;      /* owned; freed by sq_case_free */
    char role;       /* array: 'i' in, 'o' out, 'b' both */
    char fill;       /* array: 'd' diagonal, 's' small, 'e' extreme, 'l' large, 0: none of these */
    int has_signs;   /* array: may be negative even if the case is positive */
    double rounding; /* array */
    int ndim;
    int64_t extent[SQ_CASE_DIMS];
    size_t align;   /* alignment of its start; 0: any */
    int has_range;  /* array of integers: its elements are from least to most, whatever the case is */
    int64_t least, most;
    int64_t places; /* for an array of subscripts: most of them are below this; 0: none */
    size_t count, bytes;  /* of an array */
    size_t before, after; /* offsets of its contents before and after the call in the data file */
    /* and of doubles: how far elements move with the inputs, relative to the perturbation */
    size_t moves;
    size_t marks;         /* and of bytes, one per element of a recurrence's outputs: an sq_element_mark, or 0 */
    double least_size;  /* for an output at special inputs: rounding is relative to at least this */
    /* for an output: how far each element moves with the inputs, relative to the perturbation;
     * infinite if it may become infinite or NaN. NULL: not known */
    double *spread;
    /* for an output: what the code as written makes of it, and 1 for each element at which that is off by more than
     * rounding; see sq_case_doubt. NULL: not known */
    unsigned char *as_written, *doubted;
    unsigned char *map; /* mapping with an unmapped page at both ends */
    size_t map_bytes;
    unsigned char *at; /* the array */
    union {
        int64_t integer; /* narrower types use its first bytes */
        double real;     /* for all floating-point types */
    } value;
} sq_case_param;

/* A value that inputs are compared with. */
typedef struct sq_case_threshold {
    int is_real;
    double real;
    int64_t integer;
} sq_case_threshold;

typedef struct sq_case {
    uint64_t seed;
    int positive, steps, carried;
    int all_integers;    /* width in bytes; wider types get small integers */
    double reach, order; /* 0: none */
    int degree, spread, draws;
    int small, large, wide, no_number; /* special: 0, 0: none */
    int nonfinite, has_signs, bounded;
    int thresholds, nthresholds;
    sq_case_threshold threshold[SQ_CASE_THRESHOLDS];
    int nparams;
    sq_case_param *param; /* like arg, one per parameter of the kernel; freed by sq_case_free */
    size_t data_bytes;
    unsigned char *data; /* the data file, mapped */
    void **arg;          /* the argument of entry() */
} sq_case;

/* These return 0, or -1 with a sentence in why (at least 200 bytes). */
int sq_case_read(sq_case *c, const char *spec, char *why);
/* Does the same for a spec in memory. */
int sq_case_read_text(sq_case *c, const char *text, size_t n, char *why);
/* Frees what reading allocated; *c is as before it was read. Mappings stay. */
void sq_case_free(sq_case *c);
/* Unmaps the arrays, and data that has no file; called before sq_case_free. */
void sq_case_unmap(sq_case *c);
/* Maps the data file; with create, makes it and fills it from the seed. Without a path the data is
 * private memory of this process. */
int sq_case_map(sq_case *c, const char *path, int create, char *why);
/* Places each array and fills it with its contents before the call; memory around it and outputs
 * have NaNs of a known pattern. */
int sq_case_place(sq_case *c, sq_place place, char *why);
/* Stores the arrays as the expected contents (after a call of the reference). */
void sq_case_keep(sq_case *c);
/* Makes the data read-only. */
int sq_case_seal(sq_case *c, char *why);
/* 1 if its inputs are special in their types, else 0. */
static inline int sq_case_special(const sq_case *c)
{
    return c->large != 0;
}
/* Checks that all expected elements that the reference wrote are finite: as two NaNs compare as
 * equal, an output of NaNs would test nothing. 0 if so; -1 with the element's name in why. */
int sq_case_finite(const sq_case *c, char *why);
/* Records how far output `param` of a recurrence moves, relative to the perturbation of the
 * inputs. */
void sq_case_moves(sq_case *c, int param, double times);
/* Checks after a call that nothing outside of the arrays and no input changed, and all output
 * elements are as expected. *error: largest difference relative to the bound, above 1 only if that
 * is what is wrong. */
int sq_case_check(const sq_case *c, double *error, char *why);
/* Calls the nest as written, in the kernel's own types, and doubts the elements at which it is not as
 * expected: there numbers are beyond the type in between, or cancel, and the naive nest, which is in
 * double, does not say what is right. All but few of them have to be as one of the two nests makes
 * them. The outputs, and the memory around them, are as before. sq_case_free forgets the doubts. 0,
 * or -1 with a sentence in why. */
int sq_case_doubt(sq_case *c, sq_place place, void (*as_written)(void *const *), char *why);
/* Describes an address that faulted: "8 bytes past the end of 'C'"; 0 if it belongs to no array.
 * Safe in a signal handler. */
int sq_case_locate(const sq_case *c, const void *address, char *to, size_t n);
#endif
