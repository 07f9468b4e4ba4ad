/* x86: what the files of its operations share, see isa.h. */
#ifndef SQ_CODEGEN_ISA_X86_H
#define SQ_CODEGEN_ISA_X86_H
#include "codegen/isa/isa.h"

/* Element types as the builtins take them, by their bytes. */
extern const char *const sq_x86_element[9];
/* A mask of all lanes. It is of a type without a sign, and compilers may warn of -1. */
const char *sq_x86_all_lanes(int lanes);
/* x86_places.c: members of sq_isa. */
bool sq_x86_indexed(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
bool sq_x86_lookup(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
/* x86_dot.c: the same; of halves alone, and with VNNI. */
bool sq_x86_dot_halves(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
bool sq_x86_dot(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
#endif
