/* Device files: reads and writes them, see device_file.h. One table has the members of a device. */
#include "tuner/device/device_file.h"
#include "support/file.h"
#include "support/nearest.h"
#include <jansson.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum kind { WORD, INT, WIDE, REAL };

struct member {
    const char *name;
    enum kind kind;
    size_t at;
    double least, most;
};

#define AT(x) offsetof(sq_device, x)
static const struct member members[] = {
    {"name", WORD, AT(name), 0, 0},
    {"arch", WORD, AT(arch), 0, 0},
    {"multiprocessors", INT, AT(multiprocessors), 1, 4096},
    {"ghz", REAL, AT(ghz), 0.1, 10},
    {"fma_f32", INT, AT(fma_f32), 1, 4096},
    {"fma_f64", INT, AT(fma_f64), 1, 4096},
    {"fma_tensor", INT, AT(fma_tensor), 1, 65536},
    {"threads", INT, AT(threads), 32, 4096},
    {"blocks", INT, AT(blocks), 1, 256},
    {"registers", INT, AT(registers), 1024, 1 << 20},
    {"shared", WIDE, AT(shared), 1024, 1 << 24},
    {"shared_block", WIDE, AT(shared_block), 1024, 1 << 24},
    {"l2", WIDE, AT(l2), 1 << 16, 1e12},
    {"l2_cycle", REAL, AT(l2_cycle), 1, 1e6},
    {"bandwidth", REAL, AT(bandwidth), 1, 1e6},
};
enum { MEMBERS = sizeof members / sizeof *members, MOST_BYTES = 1 << 16, LONGEST = 255 };

/* ---- reading ---- */

/* True for a name that is safe in comments of other files and on terminals. */
static bool is_safe(const char *text)
{
    size_t n = strlen(text);
    for (size_t i = 0; i < n; i++)
        if (text[i] < ' ' || text[i] > '~')
            return false;
    return n > 0 && n <= LONGEST;
}

static bool is_right(const struct member *m, const json_t *v)
{
    if (m->kind == WORD)
        return json_is_string(v) && is_safe(json_string_value(v));
    if (m->kind == REAL ? !json_is_number(v) : !json_is_integer(v))
        return false;
    return json_number_value(v) >= m->least && json_number_value(v) <= m->most;
}

static void set(const struct member *m, const json_t *v, sq_arena *arena, sq_device *to)
{
    void *at = (char *)to + m->at;
    switch (m->kind) {
    case WORD:
        *(const char **)at = sq_arena_strdup(arena, json_string_value(v));
        return;
    case INT:
        *(int *)at = (int)json_integer_value(v);
        return;
    case WIDE:
        *(int64_t *)at = json_integer_value(v);
        return;
    case REAL:
        *(double *)at = json_number_value(v);
        return;
    }
}

static int complain(const struct member *m, const json_t *v, sq_loc loc, sq_diags *d)
{
    if (m->kind == WORD)
        return sq_error(d, SQ_FAULT_INPUT, loc,
                        "'%s' has to be a text of 1 to %d printable ASCII characters", m->name,
                        LONGEST);
    if (!json_is_number(v))
        return sq_error(d, SQ_FAULT_INPUT, loc, "'%s' has to be a number", m->name);
    return sq_error(d, SQ_FAULT_INPUT, loc, "'%s' has to be %s from %.10g to %.10g", m->name,
                    m->kind == REAL ? "a number" : "an integer", m->least, m->most);
}

/* Rejects members that no device has, which are typing errors. */
static int check_names(const json_t *object, sq_loc loc, sq_diags *d)
{
    const char *key, *names[MEMBERS];
    json_t *v;
    for (int i = 0; i < MEMBERS; i++)
        names[i] = members[i].name;
    json_object_foreach((json_t *)object, key, v)
    {
        int i = 0;
        while (i < MEMBERS && strcmp(names[i], key) != 0)
            i++;
        if (i < MEMBERS || strcmp(key, "squall") == 0)
            continue; /* `show` adds its version */
        sq_error(d, SQ_FAULT_INPUT, loc, "a device has no '%s'", key);
        const char *nearest = sq_nearest(key, names, MEMBERS);
        sq_suggest(d, key, nearest);
        return -1;
    }
    return 0;
}

/* Returns NULL after adding an error. */
static const sq_device *device_of(const json_t *object, sq_loc loc, sq_arena *arena, sq_diags *d)
{
    sq_device *to = SQ_NEW(arena, sq_device);
    if (check_names(object, loc, d) != 0)
        return NULL;
    for (int i = 0; i < MEMBERS; i++) {
        const json_t *v = json_object_get(object, members[i].name);
        if (!v) {
            sq_error(d, SQ_FAULT_INPUT, loc, "the device has no '%s'", members[i].name);
            return NULL;
        }
        if (!is_right(&members[i], v)) {
            complain(&members[i], v, loc, d);
            return NULL;
        }
        set(&members[i], v, arena, to);
    }
    return to;
}

/* ---- files ---- */

const sq_device *sq_device_read(const char *path, sq_arena *arena, sq_diags *d)
{
    size_t n = 0;
    json_error_t why;
    struct stat st;
    if (stat(path, &st) == 0 && (!S_ISREG(st.st_mode) || st.st_size > MOST_BYTES)) {
        sq_error(d, SQ_FAULT_WORLD, SQ_NOWHERE, "'%s' is no machine file: no file of a few lines",
                 path);
        return NULL;
    }
    char *text = sq_file_read(d, path, &n);
    if (!text)
        return NULL;
    const sq_device *device = NULL;
    json_t *object = json_loadb(text, n, JSON_REJECT_DUPLICATES, &why);
    sq_diags_source(d, path, text, n);
    sq_loc loc = {.file = sq_arena_strdup(arena, path), .line = 1, .col = 1};
    if (object && json_is_object(object)) {
        device = device_of(object, loc, arena, d);
    } else if (object) {
        sq_error(d, SQ_FAULT_INPUT, loc, "a device is one JSON object");
    } else {
        loc.line = why.line > 0 ? why.line : 1;
        loc.col = why.column > 0 ? why.column : 1;
        sq_error(d, SQ_FAULT_INPUT, loc, "this is no JSON: %s", why.text);
    }
    if (!device)
        sq_help(d, SQ_NOWHERE, "`squall show machine --machine=%s --json` prints one to begin with",
                "a100-sxm4-40");
    json_decref(object);
    free(text);
    return device;
}

json_t *sq_device_json(const sq_device *device)
{
    json_t *to = json_object();
    for (int i = 0; i < MEMBERS; i++) {
        const void *at = (const char *)device + members[i].at;
        json_t *v = NULL;
        switch (members[i].kind) {
        case WORD:
            v = json_string(*(const char *const *)at);
            break;
        case INT:
            v = json_integer(*(const int *)at);
            break;
        case WIDE:
            v = json_integer(*(const int64_t *)at);
            break;
        case REAL:
            v = json_real(*(const double *)at);
            break;
        }
        json_object_set_new(to, members[i].name, v);
    }
    return to;
}
