/* The tables of types and operators, read from types.def and ops.def. One line there is all that a
 * new one needs here; its text in emitted programs stands in the same line. */
#include "ir/kernel.h"

typedef struct type_info {
    const char *name, *ctype;
    int bytes;
    bool real;
} type_info;

#define X(id, name, ctype, bytes, real) [id] = {name, ctype, bytes, real},
static const type_info types[SQ_NTYPES] = {
#include "ir/types.def"
};
#undef X

#define X(id, name, nargs, flops, infix, f32, f64) [id] = {name, nargs, flops, infix, {f32, f64}},
static const sq_op_info ops[SQ_NOPS] = {
#include "ir/ops.def"
};
#undef X

const char *sq_type_name(sq_type t)
{
    return types[t].name;
}

const char *sq_type_ctype(sq_type t)
{
    return types[t].ctype;
}

int sq_type_bytes(sq_type t)
{
    return types[t].bytes;
}

bool sq_type_real(sq_type t)
{
    return types[t].real;
}

const sq_op_info *sq_op_get(sq_op op)
{
    return &ops[op];
}
