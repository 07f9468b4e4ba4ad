/* Panels: allocates packed panels and short temporaries of a call. Threads of a host program may
 * have stacks of 64 KiB, and thread-local variables are allocated on each of them, even for threads
 * that never call: so nothing is thread-local, and a function has little on the stack. Everything
 * else is in the call's workspace, panels first; fusions of nests run in sequence, so that the
 * panels of all of them share its beginning. Lanes of a panel that no copy fills keep their
 * contents: they are computed with but never stored, so a result does not depend on them, but they
 * may raise floating-point exceptions, or be slow where they are denormal. */
#include "codegen/print/panels.h"

enum { LINE = 64, STACK = 8 << 10, STACK_PANELS = 4 << 10 };

/* The panel of a buffer; at: in the memory of each thread, of a panel that each has. */
struct sq_panel {
    const sq_code_buffer *buffer;
    int64_t at;
    const struct sq_panel *next;
};

static int64_t lines(int64_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

bool sq_panels_any(const sq_printer *p)
{
    return p->space.shared > 0 || p->space.own > 0;
}

/* Zeroed if lanes beyond what was copied are computed with: other bits may be numbers that trap or
 * are slow. The origin of the pointer is hidden from the compiler, which would warn of those lanes
 * and merge loads that SQ_FRESH separates. */
static void put_stack(sq_printer *p, const char *name, const char *ctype, int64_t elements, const char *value)
{
    sq_text *to = &p->memory;
    const char *bare = name + (*name == '@');
    sq_text_line(to, "%s @%s_memory[%lld] __attribute__((aligned(64)))%s;", ctype, bare,
                 (long long)elements, value);
    sq_text_line(to, "%s *%s = @%s_memory;", ctype, name, bare);
    sq_text_line(to, "%s(%s);", sq_uses_helper(&p->uses, "SQ_FRESH"), name);
}

bool sq_panels_stack(sq_printer *p, const char *name, sq_type type, int64_t elements)
{
    int64_t bytes = lines(elements * sq_type_bytes(type));
    if (bytes > STACK - p->space.stack)
        return false;
    p->space.stack += bytes;
    put_stack(p, name, sq_type_ctype(type), elements, "");
    return true;
}

void sq_panels_begin(sq_printer *p)
{
    p->space.fusion_shared = p->space.fusion_own = 0;
}

/* Allocates bytes in a fusion; the call needs the maximum over all fusions. */
static int64_t take(int64_t *fusion, int64_t *most, int64_t bytes)
{
    int64_t at = *fusion;
    *fusion += bytes;
    *most = *fusion > *most ? *fusion : *most;
    return at;
}

static int64_t elements_of(const sq_code_buffer *b)
{
    int64_t n = 0;
    sq_code_known(b->extent[0], &n);
    return n;
}

static int64_t bytes_of(const sq_code_buffer *b)
{
    return lines(elements_of(b) * sq_type_bytes(b->type));
}

/* Returns the place of a panel, which is the same for all texts of one nest; NULL: it has none yet. */
static const struct sq_panel *place_of(const sq_printer *p, const sq_code_buffer *b)
{
    const struct sq_panel *x = p->space.panel;
    while (x && x->buffer != b)
        x = x->next;
    return x;
}

static void note_place(sq_printer *p, const sq_code_buffer *b, int64_t at)
{
    struct sq_panel *x = SQ_NEW(p->arena, struct sq_panel);
    *x = (struct sq_panel){b, at, p->space.panel};
    p->space.panel = x;
}

/* Returns the offset of a thread's panel. */
static int64_t place_own(sq_printer *p, const sq_code_buffer *b)
{
    if (!place_of(p, b))
        note_place(p, b, take(&p->space.fusion_own, &p->space.own, bytes_of(b)));
    return place_of(p, b)->at;
}

static void place_shared(sq_printer *p, const sq_code_buffer *b)
{
    const char *c = sq_type_ctype(b->type);
    int64_t bytes = bytes_of(b);
    if (place_of(p, b))
        return;
    note_place(p, b, 0);
    if (p->space.stack + bytes <= STACK_PANELS) {
        p->space.stack += bytes;
        put_stack(p, b->name, c, elements_of(b), " = {0}");
        return;
    }
    sq_text_line(&p->memory, "%s *%s = (%s *)(void *)(@space + %lld);", c, b->name, c,
                 (long long)take(&p->space.fusion_shared, &p->space.shared, bytes));
}

void sq_panels_declare(const sq_code *declare, void *user, sq_text *to)
{
    sq_printer *p = user;
    const sq_code_buffer *b = declare->buffer;
    const char *c = sq_type_ctype(b->type);
    if (!b->is_own || !p->options->openmp) {
        place_shared(p, b);
        return;
    }
    sq_uses_name(&p->uses, "@own");
    if (declare->in_threads)
        sq_uses_name(&p->uses, "@each");
    sq_text_line(to, "%s *%s = (%s *)(void *)(@own%s + %lld);", c, b->name, c,
                 !declare->in_threads ? ""
                 : p->options->tasks  ? " + @share * @each"
                                      : " + sq_thread() * @each",
                 (long long)place_own(p, b));
}

void sq_panels_close(sq_printer *p)
{
    if (p->space.own > 0 && sq_code_keys_has(&p->names, "@each"))
        sq_text_line(&p->memory, "const int64_t @each = %lld; /* bytes of a thread */",
                     (long long)p->space.own);
    if (p->space.own > 0)
        sq_text_line(&p->memory, "char *const @own = @space + %lld;", (long long)p->space.shared);
}
