/* Values: what a person may write behind an option, for completions. Choices and files stand in the
 * option table; words that another table knows (targets, stages, searches) are read from that table,
 * so that a new row is offered at once. */
#include "cli/values.h"
#include "cli/task.h"
#include "tuner/device/device_file.h"
#include "tuner/search/search.h"
#include <string.h>

static void put_word(sq_text *to, const char *word)
{
    sq_text_printf(to, "%s%s", to->n ? " " : "", word);
}

/* Words of one list: a device's architecture is one of its own. */
static void put_targets(sq_text *to)
{
    const char *last = "";
    put_word(to, "c");
    put_word(to, "host");
    for (const sq_target *t = sq_targets; t->name; last = t->name, t++)
        if (strcmp(t->name, last) != 0)
            put_word(to, t->name);
    for (const sq_target *t = sq_targets; t->name; t++)
        if (t->grid)
            sq_text_printf(to, " arch=%s", t->grid->arch);
    put_word(to, "openmp");
    put_word(to, "serial");
    put_word(to, "tasks");
}

static void put_machines(sq_text *to)
{
    put_word(to, "host");
    for (const sq_machine *m = sq_machines; m->name; m++)
        put_word(to, m->name);
    for (const sq_device *v = sq_devices; v->name; v++)
        put_word(to, v->name);
}

static void put_stages(sq_text *to)
{
    for (int i = 0; i < SQ_NSTAGES; i++)
        put_word(to, sq_stages[i].name);
}

static void put_dumps(sq_text *to)
{
    put_stages(to);
    put_word(to, "all");
}

static void put_searches(sq_text *to)
{
    for (const sq_search *const *s = sq_searches; *s; s++)
        put_word(to, (*s)->name);
}

static void put_products(sq_text *to)
{
    for (int i = 0; sq_products[i]; i++)
        put_word(to, sq_products[i]);
}

/* clang-format off */
static const struct {
    const char *option;
    sq_values_kind kind;
    void (*put)(sq_text *to);
} tables[] = {
    {"target",     SQ_VALUES_LIST,  put_targets},
    {"targets",    SQ_VALUES_LIST,  put_targets},
    {"machine",    SQ_VALUES_WORDS, put_machines},
    {"dump",       SQ_VALUES_LIST,  put_dumps},
    {"stop-after", SQ_VALUES_WORDS, put_stages},
    {"emit",       SQ_VALUES_LIST,  put_products},
    {"search",     SQ_VALUES_WORDS, put_searches},
};
/* clang-format on */

/* "gcc|json" -> "gcc json" */
static void put_choices(const char *choices, sq_text *to)
{
    for (; *choices; choices++)
        sq_text_putn(to, *choices == '|' ? " " : choices, 1);
}

sq_values_kind sq_option_values(const sq_option *row, sq_text *to)
{
    if (!row->arg[0])
        return SQ_VALUES_NONE;
    if (row->kind == SQ_OPTION_CHOICE) {
        put_choices(row->arg, to);
        return SQ_VALUES_WORDS;
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].option, row->name) == 0) {
            tables[i].put(to);
            return tables[i].kind;
        }
    return strcmp(row->arg, "FILE") == 0  ? SQ_VALUES_FILE
           : strcmp(row->arg, "DIR") == 0 ? SQ_VALUES_DIR
                                          : SQ_VALUES_ANY;
}
