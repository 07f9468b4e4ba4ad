/* Symbol: what a declaration is: its type, and its entry among those of the kernel. */
#include "frontend/build.h"
#include <string.h>

/* libclang 19 has no kind for it. */
static bool is_bf16(const sq_builder *b, CXType t)
{
    const char *name = sq_clang_string(&b->r, b->r.cl->clang_getTypeSpelling(t));
    return strcmp(name, "__bf16") == 0 || strcmp(name, "const __bf16") == 0;
}

int sq_type_read(const sq_builder *b, CXType t)
{
    const sq_clang *cl = b->r.cl;
    CXType c = cl->clang_getCanonicalType(t);
    switch (c.kind) {
    case CXType_Float:
        return SQ_F32;
    case CXType_Double:
        return SQ_F64;
    case CXType_Float16:
        return SQ_F16;
    case CXType_SChar:
    case CXType_Char_S:
        return SQ_I8;
    case CXType_Short:
        return SQ_I16;
    case CXType_Int:
    case CXType_Long:
    case CXType_LongLong:
        return cl->clang_Type_getSizeOf(c) == 8 ? SQ_I64 : SQ_I32;
    case CXType_UChar:
    case CXType_Char_U:
        return SQ_U8;
    case CXType_UShort:
        return SQ_U16;
    case CXType_UInt:
    case CXType_ULong:
    case CXType_ULongLong:
        return cl->clang_Type_getSizeOf(c) == 8 ? SQ_U64 : SQ_U32;
    default:
        return is_bf16(b, c) ? (int)SQ_BF16 : -1;
    }
}

const char *sq_type_names(const sq_builder *b)
{
    const char *all = "";
    for (int t = 0; t < SQ_NTYPES; t++) {
        const char *name = b->scop ? sq_type_ctype((sq_type)t) : sq_type_name((sq_type)t);
        if (b->scop && sq_type_stored((sq_type)t))
            continue; /* no type of C's */
        all = sq_arena_printf(b->r.arena, "%s%s%s", all,
                              !*all               ? ""
                              : t + 1 < SQ_NTYPES ? ", "
                                                  : " and ",
                              name);
    }
    return all;
}

sq_symbol *sq_symbol_find(const sq_builder *b, CXCursor decl)
{
    for (sq_symbol *s = b->symbols; s; s = s->next)
        if (b->r.cl->clang_equalCursors(s->decl, decl))
            return s;
    return NULL;
}

int sq_var_find(const sq_builder *b, CXCursor decl)
{
    for (int v = 0; v < b->nvars; v++)
        if (b->r.cl->clang_equalCursors(b->var[v].decl, decl))
            return v;
    for (const sq_var_alias *a = b->aliases; a; a = a->next)
        if (b->r.cl->clang_equalCursors(a->decl, decl))
            return a->var;
    return -1;
}

sq_symbol *sq_symbol_add(sq_builder *b, CXCursor decl)
{
    sq_symbol *s = SQ_NEW(b->r.arena, sq_symbol);
    s->decl = decl;
    s->next = b->symbols;
    b->symbols = s;
    return s;
}
