/* Draws scripts from the transforms of docs/SCHEDULES.md: likely ones and silly ones. Most are
 * refused, which must be said with a message. */
#include "check.h"

#include <stdarg.h>
#include <string.h>

struct text {
    char *at;
    size_t left;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(t->at, t->left, format, list);
    va_end(list);
    if (n > 0 && (size_t)n < t->left) {
        t->at += n;
        t->left -= (size_t)n;
    }
}

/* The indices or loops of statement number `wanted`, outermost first; where it is, in *s. */
struct nest {
    int vars[12], free, count, statement;
};

static void add_reduced(const struct program *p, int node, struct nest *n)
{
    if (node < 0)
        return;
    for (int r = 0; r < p->nodes[node].reduced_count && n->count < 12; r++)
        n->vars[n->count++] = p->nodes[node].reduced[r];
    add_reduced(p, p->nodes[node].a, n);
    add_reduced(p, p->nodes[node].b, n);
}

static bool find_nest(const struct program *p, int first, int *number, struct nest *n)
{
    for (int s = first; s >= 0; s = p->statements[s].next) {
        const struct statement *st = &p->statements[s];
        if (st->kind == ST_LOOP || st->kind == ST_IF) {
            if (st->kind == ST_LOOP)
                n->vars[n->count++] = st->var;
            if (find_nest(p, st->body, number, n) || find_nest(p, st->otherwise, number, n))
                return true;
            n->count -= st->kind == ST_LOOP;
        } else if ((*number)-- == 0) {
            n->statement = s;
            for (int d = 0; st->kind == ST_INDEX && d < p->arrays[st->array].dims; d++)
                n->vars[n->count++] = p->nodes[st->sub[d]].var;
            n->free = n->count;
            add_reduced(p, st->value, n);
            return true;
        }
    }
    return false;
}

static const char *any(const struct program *p, const struct nest *n)
{
    return n->count ? p->vars[n->vars[below(n->count)]].name : "i";
}

static int points(void)
{
    static const int values[] = {2, 3, 4, 4, 6, 7, 8, 8, 16, 16, 32, 48};
    return values[below(12)];
}

static const char *array_name(const struct program *p)
{
    return p->array_count ? p->arrays[below(p->array_count)].name : "A";
}

/* tile(i:16, k:32) order(i0, k0, i, k, ...) */
static void add_tiles(const struct program *p, const struct nest *n, struct text *t)
{
    bool tiled[12] = {0};
    const char *between = "tile(";
    for (int v = 0; v < n->count; v++)
        if (chance(60)) {
            tiled[v] = true;
            add(t, "%s%s:%d", between, p->vars[n->vars[v]].name, points() * (chance(30) ? 8 : 1));
            between = ", ";
        }
    if (between[0] != ',')
        return;
    between = ") order(";
    for (int v = 0; v < n->count; v++)
        if (tiled[v]) {
            add(t, "%s%s0", between, p->vars[n->vars[v]].name);
            between = ", ";
        }
    int from = n->count ? below(n->count) : 0;
    for (int v = 0; v < n->count; v++)
        if (chance(90))
            add(t, ", %s", p->vars[n->vars[(v + from) % n->count]].name);
    add(t, ") ");
}

static void add_micro(const struct program *p, const struct nest *n, struct text *t)
{
    static const int wide[] = {4, 8, 16, 32, 8, 16};
    const char *between = "";
    add(t, "micro(");
    for (int v = 0; v < n->free; v++)
        if (chance(60)) {
            add(t, "%s%s:%d", between, p->vars[n->vars[v]].name,
                v == n->free - 1 ? wide[below(6)] : 1 + below(6));
            between = ", ";
        }
    if (n->count > n->free && chance(80))
        add(t, " | %s", p->vars[n->vars[n->free + below(n->count - n->free)]].name);
    add(t, ") ");
}

static void add_pack(const struct program *p, const struct nest *n, struct text *t)
{
    add(t, "pack(%s at ", array_name(p));
    if (chance(30))
        add(t, "top");
    else
        add(t, "%s%s", any(p, n), chance(40) ? "0" : "");
    if (chance(50))
        add(t, " as %s%d", any(p, n), 4 << below(3));
    add(t, ") ");
}

static void add_other(const struct program *p, const struct nest *n, struct text *t)
{
    const char *v = any(p, n);
    switch (below(10)) {
    case 0: add(t, "vectorize(%s:%d) ", v, 4 << below(3)); break;
    case 1: add(t, "unroll(%s:%d) ", v, 2 + below(4)); break;
    case 2: add(t, "split(%s:%d) ", v, 2 + below(4)); break;
    case 3: add(t, "hold(%s%s) ", v, chance(50) ? "0" : ""); break;
    case 4: add(t, "epilogue(%s) ", chance(50) ? "first" : "last"); break;
    case 5: add_pack(p, n, t); break;
    default: add(t, "parallel(%s%s) ", v, chance(40) ? "0" : ""); break;
    }
}

static void add_auto(struct text *t)
{
    static const char *const fuses[] = {"fuse:max, ", "fuse:min, ", "fuse:smart, ", ""};
    add(t, "auto(%s%s", fuses[below(4)], chance(20) ? "keep:1, " : "");
    for (int n = below(3); n-- > 0;)
        add(t, "tile:%d, ", points());
    add(t, chance(50) ? "parallel) " : "tile:16) ");
}

/* What changes the statements: before all else. */
static void add_form(const struct program *p, const struct nest *n, int statements, struct text *t)
{
    int s = below(statements), other = below(statements);
    switch (below(8)) {
    case 0: add(t, "inline(S%d) ", s); break;
    case 1: add(t, "distribute(S%d) ", s); break;
    case 2: add(t, "parts(S%d, %s:%d) ", s, any(p, n), points()); break;
    case 3: add(t, "fuse(S%d, S%d) ", s < other ? s : other, s < other ? other : s); break;
    case 4: add(t, "fuse(S%d, S%d at %s) ", s, s + 1, any(p, n)); break;
    case 5: add(t, "expand(S%d) ", s); break;
    case 6: add(t, "distribute(S%d at %s) ", s, any(p, n)); break;
    default: add(t, "online(S%d, %s:%d) ", s, any(p, n), points()); break;
    }
}

static void add_group(const struct program *p, const struct nest *n, struct text *t)
{
    if (chance(12)) {
        add_auto(t);
        return;
    }
    if (chance(45))
        add_tiles(p, n, t);
    if (chance(25))
        add_pack(p, n, t);
    if (chance(60))
        add_micro(p, n, t);
    while (chance(35))
        add_other(p, n, t);
}

void draw_script(const struct program *p, char *script, size_t room)
{
    struct text t = {script, room};
    struct nest nest = {0};
    int statements = 0, number;
    script[0] = 0;
    for (number = 0; find_nest(p, p->first, &(int){number}, &(struct nest){0}); number++)
        statements++;
    int at = number = below(statements);
    find_nest(p, p->first, &number, &nest);
    if (statements > 0 && chance(20))
        add_form(p, &nest, statements, &t);
    if (statements > 1)
        add(&t, "S%d: ", at);
    add_group(p, &nest, &t);
    if (script[0] == 0 || t.at[-1] != ' ' || t.at[-2] == ':')
        add_micro(p, &nest, &t);
}
