/* Report, how much there is: where clang's errors stand, so that the kernels without any can be read. */
#include "frontend/report.h"
#include <string.h>

/* A function that is not declared is a warning to some standards of C, and never one of ours. */
static bool is_error(const sq_reader *r, CXDiagnostic m)
{
    const char *option = sq_clang_string(r, r->cl->clang_getDiagnosticOption(m, NULL));
    return r->cl->clang_getDiagnosticSeverity(m) >= CXDiagnostic_Error ||
           strcmp(option, "-Wimplicit-function-declaration") == 0;
}

int sq_report_count(sq_reader *r, int first, int last)
{
    const sq_clang *cl = r->cl;
    int n = 0;
    for (unsigned i = 0; i < cl->clang_getNumDiagnostics(r->unit); i++) {
        CXDiagnostic m = cl->clang_getDiagnostic(r->unit, i);
        sq_loc at = sq_place_loc(r, cl->clang_getDiagnosticLocation(m));
        bool inside =
            at.file && strcmp(at.file, r->path) == 0 && at.line >= first && at.line <= last;
        n += is_error(r, m) && (inside || (first == 0 && last == 0));
        cl->clang_disposeDiagnostic(m);
    }
    return n;
}
