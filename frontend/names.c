/* Names: functions that belong to a kernel, which no other kernel may be called. */
#include "frontend/build.h"
#include <string.h>

static int refuse(sq_diags *d, const sq_kernel *k, const sq_kernel *of)
{
    return sq_error(d, SQ_FAULT_INPUT, k->loc,
                    "'%s' is also the name of a function that belongs to kernel '%s'; call one of them something else",
                    k->name, of->plain ? of->plain : of->name);
}

/* True if the name is `of`, an underscore and the suffix. */
static bool has_suffix(const char *name, const char *of, const char *suffix)
{
    size_t n = strlen(of);
    return strncmp(name, of, n) == 0 && name[n] == '_' && strcmp(name + n + 1, suffix) == 0;
}

/* gemm_packed, gemm_pack_W and gemm_packed_W_bytes. */
static bool is_packing(const char *name, const sq_kernel *of)
{
    bool found = strcmp(name, of->name) == 0;
    for (int p = 0; p < of->nparams && !found; p++) {
        const sq_array *a = of->param[p].array;
        if (!a || !a->is_packed)
            continue;
        found = has_suffix(name, of->plain, sq_arena_printf(of->arena, "pack_%s", a->name)) ||
                has_suffix(name, of->name, sq_arena_printf(of->arena, "%s_bytes", a->name));
    }
    return found;
}

/* K_in and the like are names of functions that K has, or may have under another schedule. */
static bool is_of(const char *name, const sq_kernel *of)
{
    static const char *const suffix[] = {"in", "workspace", "accepts"};
    bool found = of->plain && is_packing(name, of);
    for (size_t s = 0; s < sizeof suffix / sizeof *suffix && !found; s++)
        found = has_suffix(name, of->name, suffix[s]);
    return found;
}

int sq_names_check(const sq_unit *u, sq_diags *d)
{
    int rc = 0;
    for (int i = 0; i < u->nkernels; i++)
        for (int j = 0; j < u->nkernels; j++)
            if (i != j && is_of(u->kernel[i]->name, u->kernel[j]))
                rc = refuse(d, u->kernel[i], u->kernel[j]);
    return rc;
}
