/* JSON of `show` and `explain`: jansson's. A build without the tuner has no jansson: the same calls
 * make nothing there, because sq_json_refuse ends a command that was asked for JSON before any of
 * them. */
#ifndef SQ_CLI_JSON_H
#define SQ_CLI_JSON_H
#include "cli/cli.h"
#include <stdio.h>

#ifdef SQ_TUNER
#include <jansson.h>

static inline int sq_json_refuse(const sq_settings *o, sq_diags *d)
{
    (void)o, (void)d;
    return 0;
}
#else
typedef struct json_t json_t;
typedef long long json_int_t;
#define JSON_INDENT(n) (n)
enum { JSON_SORT_KEYS = 0x80 };

/* -1 with an error where JSON, or a report, is asked for. */
static inline int sq_json_refuse(const sq_settings *o, sq_diags *d)
{
    if (!o->json && !o->html)
        return 0;
    sq_error(d, SQ_FAULT_USAGE, sq_settings_loc(o, o->json ? "json" : "html"),
             "this squall was built without the tuner, and writes no %s", o->json ? "JSON" : "HTML");
    sq_help(d, SQ_NOWHERE, "build it with -DSQUALL_TUNER=ON");
    return -1;
}

#define json_object() ((json_t *)NULL)
#define json_array() ((json_t *)NULL)
#define json_string(text) ((void)(text), (json_t *)NULL)
#define json_integer(n) ((void)(n), (json_t *)NULL)
#define json_real(x) ((void)(x), (json_t *)NULL)
static inline json_t *json_pack(const char *format, ...)
{
    (void)format;
    return NULL;
}
#define json_array_get(list, i) ((void)(list), (void)(i), (json_t *)NULL)
#define json_array_append_new(list, item) ((void)(list), (void)(item))
#define json_array_extend(list, more) ((void)(list), (void)(more))
#define json_object_set(object, key, item) ((void)(object), (void)(item))
#define json_object_set_new(object, key, item) ((void)(object), (void)(item))
#define json_object_update(object, more) ((void)(object), (void)(more))
#define json_object_update_new(object, more) ((void)(object), (void)(more))
#define json_object_del(object, key) ((void)(object), (void)(key))
#define json_decref(item) ((void)(item))
#define json_dumpf(item, to, flags) ((void)(item), (void)(to))
#endif
#endif
