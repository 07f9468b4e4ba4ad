/* Piece: see piece.h. */
#include "ir/kernel/piece.h"
#include <isl/set.h>

static isl_stat take(isl_set *domain, isl_aff *aff, void *user)
{
    isl_set_free(domain);
    *(isl_aff **)user = aff;
    return isl_stat_ok;
}

isl_aff *sq_only_piece(isl_pw_aff *pa)
{
    isl_aff *aff = NULL;
    if (isl_pw_aff_n_piece(pa) == 1)
        isl_pw_aff_foreach_piece(pa, take, &aff);
    isl_pw_aff_free(pa);
    return aff;
}
