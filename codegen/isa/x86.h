/* x86: shared by the files of its operations; see isa.h. */
#ifndef SQ_CODEGEN_ISA_X86_H
#define SQ_CODEGEN_ISA_X86_H
#include "codegen/isa/isa.h"

/* Names of the builtins' element types, by size in bytes. */
extern const char *const sq_x86_element[9];
/* Returns a mask of all lanes. Its type is unsigned, for which compilers may warn of -1. */
const char *sq_x86_all_lanes(int lanes);
/* x86_masks.c: members of sq_isa; `bits` for mask registers. */
void sq_x86_compare(const sq_vector *v, sq_op op, sq_text *to);
bool sq_x86_select_bits(const sq_vector *v, const char *type, sq_text *to);
bool sq_x86_masked_bits(const sq_vector *v, const char *type, bool store, sq_text *to);
bool sq_x86_where_bits(const sq_vector *v, const char *type, bool store, sq_text *to);
bool sq_x86_select(const sq_vector *v, const char *type, sq_text *to);
bool sq_x86_masked(const sq_vector *v, const char *type, bool store, sq_text *to);
bool sq_x86_where(const sq_vector *v, const char *type, bool store, sq_text *to);
/* x86_places.c: members of sq_isa. */
bool sq_x86_indexed(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
bool sq_x86_lookup(const sq_vector *v, const char *type, const sq_target *t, sq_text *to);
/* x86_dot.c: the same; of 16-bit elements only, and with VNNI. */
bool sq_x86_dot16(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
bool sq_x86_sad(const sq_vector *v, const sq_target *t, sq_text *to);
bool sq_x86_fma_low(const sq_vector *v, const sq_target *t, sq_text *to);
bool sq_x86_dot(const sq_vector *v, bool bytes, const sq_target *t, sq_text *to);
#endif
