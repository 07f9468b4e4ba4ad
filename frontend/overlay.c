/* Overlay: see overlay.h. */
#include "frontend/overlay.h"
#include "frontend/scop_build.h"
#include <string.h>

bool sq_reader_has_errors(const sq_reader *r, CXTranslationUnit unit)
{
    bool has = false;
    for (unsigned i = 0; i < r->cl->clang_getNumDiagnostics(unit) && !has; i++) {
        CXDiagnostic d = r->cl->clang_getDiagnostic(unit, i);
        has = r->cl->clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        r->cl->clang_disposeDiagnostic(d);
    }
    return has;
}

static void find_faults(const sq_reader *r, CXTranslationUnit unit, sq_faults *to)
{
    to->n = 0;
    for (unsigned i = 0; i < r->cl->clang_getNumDiagnostics(unit); i++) {
        CXDiagnostic d = r->cl->clang_getDiagnostic(unit, i);
        bool is_error = r->cl->clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error;
        if (is_error && to->n < (int)(sizeof to->at / sizeof *to->at) &&
            sq_scop_offset(r, r->cl->clang_getDiagnosticLocation(d), &to->at[to->n]))
            to->n++;
        r->cl->clang_disposeDiagnostic(d);
    }
}

bool sq_reader_reads(sq_reader *r, CXIndex index, const char **args, int nargs, const char *view, size_t n,
                     const sq_overlay *file, int nfiles, sq_faults *faults)
{
    CXTranslationUnit unit;
    const char **more = SQ_NEW_ARRAY(r->arena, const char *, nargs + 2 * nfiles);
    struct CXUnsavedFile *unsaved = SQ_NEW_ARRAY(r->arena, struct CXUnsavedFile, nfiles + 1);
    memcpy(more, args, (size_t)nargs * sizeof *more);
    unsaved[0] = (struct CXUnsavedFile){r->path, view, n};
    for (int i = 0; i < nfiles; i++) {
        more[nargs + 2 * i] = "-include";
        more[nargs + 2 * i + 1] = file[i].path;
        unsaved[i + 1] = (struct CXUnsavedFile){file[i].path, file[i].text, strlen(file[i].text)};
    }
    if (r->cl->clang_parseTranslationUnit2(
            index, r->path, more, nargs + 2 * nfiles, unsaved, (unsigned)nfiles + 1,
            CXTranslationUnit_DetailedPreprocessingRecord, &unit) != CXError_Success)
        return false;
    bool reads = !sq_reader_has_errors(r, unit);
    if (!reads && faults)
        find_faults(r, unit, faults);
    r->cl->clang_disposeTranslationUnit(reads ? r->unit : unit);
    r->unit = reads ? unit : r->unit;
    return reads;
}
