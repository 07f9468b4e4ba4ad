/* Libraries: which libclang, isl and PCRE2 read descriptions here, as they say themselves. */
#include "frontend/clang.h"
#include "frontend/frontend.h"
#include <dlfcn.h>
#include <isl/version.h>
#include <stdio.h>
#include <string.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* The file that holds this address. */
static void find_path(sq_library *l, const void *address)
{
    Dl_info info;
    if (dladdr(address, &info) && info.dli_fname)
        snprintf(l->path, sizeof l->path, "%s", info.dli_fname);
}

/* The address of a function, which C has no conversion for. */
static const void *address_of(void (*f)(void))
{
    const void *p;
    memcpy(&p, &f, sizeof p);
    return p;
}

static int find_clang(sq_library *l, sq_diags *d)
{
    const sq_clang *cl = sq_clang_load(d);
    if (!cl)
        return -1;
    CXString version = cl->clang_getClangVersion();
    const char *text = cl->clang_getCString(version);
    snprintf(l->version, sizeof l->version, "%s", text ? text : "unknown");
    cl->clang_disposeString(version);
    find_path(l, address_of((void (*)(void))cl->clang_getClangVersion));
    return 0;
}

int sq_libraries_find(sq_library to[SQ_LIBRARIES], sq_diags *d)
{
    static const char *const name[SQ_LIBRARIES] = {"libclang", "isl", "PCRE2"};
    for (int i = 0; i < SQ_LIBRARIES; i++)
        to[i] = (sq_library){.name = name[i]};
    snprintf(to[1].version, sizeof to[1].version, "%.*s", (int)strcspn(isl_version(), "\n"),
             isl_version());
    find_path(&to[1], address_of((void (*)(void))isl_version));
    if (pcre2_config(PCRE2_CONFIG_VERSION, NULL) < (int)sizeof to[2].version)
        pcre2_config(PCRE2_CONFIG_VERSION, to[2].version);
    find_path(&to[2], address_of((void (*)(void))pcre2_config_8));
    return find_clang(&to[0], d);
}
