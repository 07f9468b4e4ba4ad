/* Ranker file: see ranker_file.h for the format. What is read is trusted in nothing. */
#include "tuner/ranker_file.h"
#include "support/file.h"
#include "support/hash.h"
#include "tuner/search/search.h"
#include "tuner/store/json_line.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FORMAT = 2,
    MOST_BYTES = 256 << 20, /* of a file */
    MOST_LINE = 1 << 24,
    MOST_TREES = 100000,
    MOST_NODES = 1 << 20, /* of a tree */
    MOST_NUMBERS = 1024,  /* of a line of a network */
    DIGITS = 9            /* enough for every float */
};

/* ---- printing ---- */

/* What the lines behind the head are of. */
static const char *model_of(const sq_learned *x)
{
    return x->forest ? "trees" : x->weights->reads_flow ? "pacm" : "mlp";
}

static int put_head(const sq_ranker_file *r, sq_text *to)
{
    const sq_learned *x = &r->learned;
    json_t *tasks = json_array();
    bool good = true;
    for (int i = 0; i < r->ntasks; i++)
        good &= json_array_append_new(tasks, json_string(r->task[i])) == 0;
    json_t *head = json_pack("{s:i, s:s, s:s, s:s, s:o, s:i}", "ranker", FORMAT, "model", model_of(x), "features",
                             SQ_FEATURES_NAME, "class", r->machine_class, "tasks", tasks, "points", r->points);
    if (head && x->forest)
        json_object_update_new(
            head, json_pack("{s:f, s:i}", "base", (double)x->forest->base, "trees", x->forest->ntrees));
    else if (head)
        json_object_set_new(head, "numbers", json_integer(x->weights->n));
    int rc = sq_json_line(head, DIGITS, to);
    return good ? rc : -1;
}

static int put_numbers(const sq_weights *w, int line, sq_text *to)
{
    json_t *numbers = json_array();
    int at = line * MOST_NUMBERS;
    for (int i = at; i < w->n && i < at + MOST_NUMBERS; i++)
        json_array_append_new(numbers, json_real((double)w->value[i]));
    return sq_json_line(json_pack("{s:i, s:o}", "at", at, "numbers", numbers), DIGITS, to);
}

/* Lines between the first and the last. */
static int lines_of(const sq_learned *x)
{
    return x->forest ? x->forest->ntrees : (x->weights->n + MOST_NUMBERS - 1) / MOST_NUMBERS;
}

static int put_tree(const sq_forest *f, int tree, sq_text *to)
{
    json_t *feature = json_array(), *value = json_array(), *below = json_array(),
           *above = json_array();
    for (int i = 0; i < sq_forest_nodes(f, tree); i++) {
        const sq_forest_node *x = &f->node[f->first[tree] + i];
        json_array_append_new(feature, json_integer(x->feature));
        json_array_append_new(value, json_real((double)x->value));
        json_array_append_new(below, json_integer(x->below));
        json_array_append_new(above, json_integer(x->above));
    }
    return sq_json_line(json_pack("{s:i, s:o, s:o, s:o, s:o}", "tree", tree, "feature", feature,
                                  "value", value, "below", below, "above", above),
                        DIGITS, to);
}

int sq_ranker_file_print(const sq_ranker_file *r, sq_text *to)
{
    int rc = put_head(r, to);
    int nlines = lines_of(&r->learned);
    for (int i = 0; i < nlines && rc == 0; i++)
        rc = r->learned.forest ? put_tree(r->learned.forest, i, to) : put_numbers(r->learned.weights, i, to);
    const sq_hash hash = sq_hash_bytes(sq_text_str(to), to->n);
    return rc ? rc
              : sq_json_line(json_pack("{s:i, s:s}", "end", nlines, "hash", hash.hex),
                             DIGITS, to);
}

/* ---- reading ---- */

typedef struct reader {
    const char *path, *text, *at;
    int line;
    sq_ranker_file *to;
    sq_arena *arena;
    sq_diags *d;
} reader;

static int refuse(const reader *r, const char *why)
{
    sq_error(r->d, SQ_FAULT_INPUT, (sq_loc){r->path, r->line, 1, 1}, "%s", why);
    sq_help(r->d, SQ_NOWHERE,
            "`squall learn K.sq --ranker=FILE` learns one from the trials in the store");
    return -1;
}

/* The object of the next line; NULL: there is none. */
static json_t *next_line(reader *r)
{
    size_t n = strcspn(r->at, "\n");
    r->line++;
    json_t *x = n && n <= MOST_LINE ? json_loadb(r->at, n, JSON_REJECT_DUPLICATES, NULL) : NULL;
    r->at += n + (r->at[n] != 0);
    if (json_is_object(x))
        return x;
    json_decref(x);
    return NULL;
}

/* An integer in [least, most]; false: it is none. */
static bool integer_of(const json_t *x, int least, int most, int *to)
{
    json_int_t i = json_integer_value(x);
    *to = i < least || i > most ? least : (int)i;
    return json_is_integer(x) && i >= least && i <= most;
}

static bool number_of(const json_t *x, float *to)
{
    double v = json_number_value(x);
    *to = (float)v;
    return json_is_number(x) && fabs(v) < 1e30;
}

/* What a whole ranker may be refused for: 0, or -1 after adding an error. */
static int check_head(const reader *r, const json_t *x, const char *machine_class)
{
    int version;
    const char *features = json_string_value(json_object_get(x, "features"));
    const char *of = json_string_value(json_object_get(x, "class"));
    const char *model = json_string_value(json_object_get(x, "model"));
    if (!json_object_get(x, "ranker"))
        return refuse(r, "this is no ranker");
    if (!integer_of(json_object_get(x, "ranker"), FORMAT, FORMAT, &version))
        return refuse(r, "a ranker of another version; this program reads version 2");
    if (features && strcmp(features, SQ_FEATURES_NAME) != 0)
        return refuse(r,
                      sq_arena_printf(
                          r->arena,
                          "this ranker reads the features '%.80s'; those of this program are '%s'",
                          features, SQ_FEATURES_NAME));
    if (model && of && strcmp(model, "trees") == 0 && strcmp(of, machine_class) != 0)
        return refuse(
            r, sq_arena_printf(
                   r->arena,
                   "this ranker was learned on machines of class %.80s; this is for class %s", of,
                   machine_class));
    return 0;
}

/* What the head says of trees or of a network. */
static bool take_model(const reader *r, const json_t *x, int *nlines)
{
    sq_learned *to = &r->to->learned;
    const char *model = json_string_value(json_object_get(x, "model"));
    bool reads_flow = model && strcmp(model, "pacm") == 0;
    float base;
    int n;
    if (model && strcmp(model, "trees") == 0) {
        if (!number_of(json_object_get(x, "base"), &base) ||
            !integer_of(json_object_get(x, "trees"), 0, MOST_TREES, nlines))
            return false;
        to->forest = sq_forest_new(SQ_PRIOR_FEATURES, base);
        return true;
    }
    if (!model || (!reads_flow && strcmp(model, "mlp") != 0))
        return false;
    to->weights = sq_weights_new(SQ_FEATURES, reads_flow);
    *nlines = lines_of(to);
    return integer_of(json_object_get(x, "numbers"), to->weights->n, to->weights->n, &n);
}

static bool take_head(const reader *r, const json_t *x, int *nlines)
{
    sq_ranker_file *to = r->to;
    const json_t *tasks = json_object_get(x, "tasks");
    const char *of = json_string_value(json_object_get(x, "class"));
    if (!of || !json_string_value(json_object_get(x, "features")) || !json_is_array(tasks) ||
        !integer_of(json_object_get(x, "points"), 1, INT_MAX, &to->points) || !take_model(r, x, nlines))
        return false;
    to->machine_class = sq_arena_strdup(r->arena, of);
    to->task = SQ_NEW_ARRAY(r->arena, const char *, json_array_size(tasks) + 1);
    for (size_t i = 0; i < json_array_size(tasks); i++) {
        const char *task = json_string_value(json_array_get(tasks, i));
        if (!task)
            return false;
        to->task[to->ntasks++] = sq_arena_strdup(r->arena, task);
    }
    return true;
}

/* Of a line of a network. */
static bool take_numbers(const reader *r, const json_t *x, int line)
{
    const sq_weights *w = r->to->learned.weights;
    const json_t *numbers = json_object_get(x, "numbers");
    int at = line * MOST_NUMBERS, said, n = w->n - at < MOST_NUMBERS ? w->n - at : MOST_NUMBERS;
    if (!integer_of(json_object_get(x, "at"), at, at, &said) || json_array_size(numbers) != (size_t)n)
        return false;
    for (int i = 0; i < n; i++)
        if (!number_of(json_array_get(numbers, (size_t)i), &w->value[at + i]))
            return false;
    return true;
}

static bool take_node(const json_t *tree, size_t i, sq_forest_node *to)
{
    return integer_of(json_array_get(json_object_get(tree, "feature"), i), -1,
                      SQ_PRIOR_FEATURES - 1, &to->feature) &&
           number_of(json_array_get(json_object_get(tree, "value"), i), &to->value) &&
           integer_of(json_array_get(json_object_get(tree, "below"), i), 0, MOST_NODES,
                      &to->below) &&
           integer_of(json_array_get(json_object_get(tree, "above"), i), 0, MOST_NODES, &to->above);
}

static bool take_tree(const reader *r, const json_t *x, int number)
{
    int said;
    size_t n = json_array_size(json_object_get(x, "feature"));
    if (!integer_of(json_object_get(x, "tree"), number, number, &said) || n == 0 || n > MOST_NODES)
        return false;
    sq_forest_node *node = SQ_NEW_ARRAY(r->arena, sq_forest_node, n);
    for (size_t i = 0; i < n; i++)
        if (!take_node(x, i, &node[i]))
            return false;
    return sq_forest_add(r->to->learned.forest, node, (int)n) == 0;
}

/* The last line, from `at` on: as many lines, and all bytes before it as they were written. */
static bool take_end(const reader *r, const json_t *x, const char *at, int nlines)
{
    int said;
    const char *hash = json_string_value(json_object_get(x, "hash"));
    return integer_of(json_object_get(x, "end"), nlines, nlines, &said) && hash && !*r->at &&
           strcmp(hash, sq_hash_bytes(r->text, (size_t)(at - r->text)).hex) == 0;
}

/* All behind the first line. */
static bool take_lines(reader *r, int nlines)
{
    for (int i = 0; i <= nlines; i++) {
        const char *at = r->at;
        json_t *x = next_line(r);
        bool right = x && (i == nlines                ? take_end(r, x, at, nlines)
                           : r->to->learned.forest ? take_tree(r, x, i)
                                                   : take_numbers(r, x, i));
        json_decref(x);
        if (!right)
            return false;
    }
    return true;
}

/* The file is the user's: it is left where it is. */
static int damaged(const reader *r)
{
    sq_learned_free(&r->to->learned);
    return refuse(r, "this ranker is damaged");
}

static int read_text(reader *r, size_t n, const char *machine_class)
{
    int nlines = 0;
    json_t *head = next_line(r);
    int rc = head ? check_head(r, head, machine_class) : refuse(r, "this is no ranker");
    bool whole = rc == 0 && strlen(r->text) == n && take_head(r, head, &nlines);
    json_decref(head);
    return rc || (whole && take_lines(r, nlines)) ? rc : damaged(r);
}

int sq_ranker_file_read(sq_ranker_file *to, const char *path, const char *machine_class,
                        sq_arena *arena, sq_diags *d)
{
    size_t n = 0;
    *to = (sq_ranker_file){0};
    char *text = sq_file_read_made(d, path, MOST_BYTES, &n);
    if (!text)
        return -1;
    reader r = {.path = path, .text = text, .at = text, .to = to, .arena = arena, .d = d};
    int rc = read_text(&r, n, machine_class);
    free(text);
    return rc;
}

bool sq_ranker_file_is_other(const char *path)
{
    size_t n = 0;
    sq_diags *unread = sq_diags_new();
    char *text = sq_file_exists(path) ? sq_file_read_made(unread, path, MOST_BYTES, &n) : NULL;
    reader r = {.path = path, .text = text, .at = text};
    json_t *head = text ? next_line(&r) : NULL;
    bool is_other = sq_file_exists(path) && !json_object_get(head, "ranker");
    json_decref(head);
    free(text);
    sq_diags_free(unread);
    return is_other;
}
