/* Network file: see tune_network_file.h. */
#include "cli/tune_network_file.h"
#include "support/file.h"
#include "support/nearest.h"
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNT = 1000000 };

typedef struct reader {
    const char *path;
    int layer; /* under way; -1: none */
    sq_arena *arena;
    sq_diags *d;
} reader;

/* A sentence about the layer under way. */
static int wrong(const reader *r, const char *sentence)
{
    if (r->layer < 0)
        return sq_error(r->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: %s", r->path, sentence);
    return sq_error(r->d, SQ_FAULT_INPUT, SQ_NOWHERE, "%s: layers[%d]: %s", r->path, r->layer, sentence);
}

/* True if it may be shown as it is. */
static bool is_printable(const char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            return false;
    return true;
}

/* Only these members, ended by NULL, may stand there. */
static int check_members(const reader *r, json_t *object, const char *const *known)
{
    const char *key;
    json_t *value;
    size_t n = 0;
    while (known[n])
        n++;
    json_object_foreach(object, key, value) {
        size_t i = 0;
        while (i < n && strcmp(known[i], key) != 0)
            i++;
        if (i < n)
            continue;
        if (!is_printable(key))
            return wrong(r, "the name of a member has control characters");
        wrong(r, sq_arena_printf(r->arena, "there is no member '%.40s' here", key));
        sq_suggest(r->d, key, sq_nearest(key, known, n));
        return -1;
    }
    return 0;
}

/* Text that is not empty, copied; NULL where there is none, which is an error if it is `needed`. */
static int read_text(const reader *r, json_t *object, const char *key, bool needed, const char **to)
{
    json_t *value = json_object_get(object, key);
    const char *text = json_string_value(value);
    *to = NULL;
    if (!value && !needed)
        return 0;
    if (!text || !text[0] || strlen(text) != json_string_length(value))
        return wrong(r, sq_arena_printf(r->arena, "'%s' has to be text, such as \"%s\"", key,
                                        strcmp(key, "source") == 0 ? "layers.sq" : "conv"));
    if (!is_printable(text))
        return wrong(r, sq_arena_printf(r->arena, "'%s' has control characters", key));
    *to = sq_arena_strdup(r->arena, text);
    return 0;
}

/* {"C": 64, "H": 56} */
static int read_sizes(const reader *r, json_t *object, const char *key, sq_sizes *to)
{
    json_t *sizes = json_object_get(object, key), *value;
    const char *name;
    if (!sizes)
        return 0;
    to->fix = SQ_NEW_ARRAY(r->arena, sq_fix, json_object_size(sizes) + 1);
    json_object_foreach(sizes, name, value) {
        if (!json_is_integer(value) || json_integer_value(value) < 0 || !sq_is_name(name, strlen(name)))
            return wrong(r, sq_arena_printf(r->arena, "'%s' has a size that is no whole number from 0: '%.40s'", key,
                                            is_printable(name) ? name : "?"));
        to->fix[to->n++] = (sq_fix){sq_arena_strdup(r->arena, name), json_integer_value(value)};
    }
    return json_is_object(sizes)
               ? 0
               : wrong(r, sq_arena_printf(r->arena, "'%s' has to be sizes by name, such as {\"M\": 512}", key));
}

static const char *sizes_text(const reader *r, const sq_sizes *s)
{
    sq_text t = {0};
    for (int i = 0; i < s->n; i++)
        sq_text_printf(&t, "%s%s=%" PRId64, i ? "," : "", s->fix[i].name, s->fix[i].value);
    return sq_text_take(&t, r->arena);
}

/* The path from here: one that is not absolute begins at the file's folder. */
static const char *beside(const reader *r, const char *source)
{
    const char *slash = strrchr(r->path, '/');
    if (source[0] == '/' || !slash)
        return source;
    return sq_arena_printf(r->arena, "%.*s%s", (int)(slash - r->path) + 1, r->path, source);
}

static int read_layer(const reader *r, json_t *layer, sq_network_entry *to)
{
    static const char *const known[] = {"source", "kernel", "fix", "at", "count", NULL};
    sq_sizes at = {0};
    json_t *count = json_object_get(layer, "count");
    if (!json_is_object(layer))
        return wrong(r, "a layer has to be an object: {\"source\": \"layers.sq\", …}");
    if (check_members(r, layer, known) != 0 || read_text(r, layer, "source", true, &to->source) != 0 ||
        read_text(r, layer, "kernel", false, &to->kernel) != 0 || read_sizes(r, layer, "fix", &to->fix) != 0 ||
        read_sizes(r, layer, "at", &at) != 0)
        return -1;
    to->count = count ? (long)json_integer_value(count) : 1;
    if ((count && !json_is_integer(count)) || to->count < 1 || to->count > MOST_COUNT)
        return wrong(r, "'count' has to be a whole number from 1 to 1000000");
    to->source = beside(r, to->source);
    to->at = at.n ? sizes_text(r, &at) : NULL;
    return 0;
}

static int read_network(reader *r, json_t *root, sq_network_file *to)
{
    static const char *const known[] = {"network", "layers", NULL};
    json_t *layers = json_object_get(root, "layers"), *layer;
    size_t i;
    if (!json_is_object(root))
        return wrong(r, "a network has to be an object: {\"network\": \"…\", \"layers\": […]}");
    if (check_members(r, root, known) != 0 || read_text(r, root, "network", true, &to->name) != 0)
        return -1;
    if (!json_is_array(layers) || json_array_size(layers) == 0)
        return wrong(r, "'layers' has to be a list with a layer or more");
    if (json_array_size(layers) > SQ_NETWORK_LAYERS)
        return wrong(r, "there are more than 1000 layers");
    to->layer = SQ_NEW_ARRAY(r->arena, sq_network_entry, json_array_size(layers));
    json_array_foreach(layers, i, layer) {
        r->layer = (int)i;
        if (read_layer(r, layer, &to->layer[to->n++]) != 0)
            return -1;
    }
    return 0;
}

sq_network_file *sq_network_file_read(const char *path, sq_arena *arena, sq_diags *d)
{
    reader r = {.path = sq_arena_strdup(arena, path), .layer = -1, .arena = arena, .d = d};
    sq_network_file *to = SQ_NEW(arena, sq_network_file);
    json_error_t error;
    size_t n;
    char *text = sq_file_read_made(d, path, SQ_NETWORK_BYTES, &n);
    if (!text)
        return NULL;
    json_t *root = json_loadb(text, n, JSON_REJECT_DUPLICATES, &error);
    int rc = -1;
    if (root) {
        rc = read_network(&r, root, to);
    } else {
        sq_diags_source(d, r.path, text, n);
        sq_error(d, SQ_FAULT_INPUT, (sq_loc){r.path, error.line, error.column > 0 ? error.column : 1, 1},
                 "this is no JSON: %s", error.text);
    }
    json_decref(root);
    free(text);
    return rc == 0 ? to : NULL;
}
