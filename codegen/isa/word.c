/* Words: integers at any byte address, as which elements of other types are read and copied. */
#include "codegen/isa/vector.h"

const char *sq_word_name(sq_type type)
{
    static const char *const name[SQ_NTYPES] = {
        [SQ_I8] = "sq_word8", [SQ_I16] = "sq_word16", [SQ_I32] = "sq_word", [SQ_I64] = "sq_word64"};
    return name[type];
}

void sq_word_declare(sq_type type, sq_text *to)
{
    sq_text_line(to, "typedef %s %s __attribute__((aligned(1), may_alias));", sq_type_ctype(type), sq_word_name(type));
}
