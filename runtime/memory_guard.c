/* Memory guard: linked with the text of a candidate that is checked, and replaces malloc, calloc,
 * realloc and free (the linker's --wrap). A block begins at a cache line and is far from the next
 * one; unless it must be 0 its start is filled with poison; the bytes behind it are a guard zone.
 * Blocks of other functions (aligned_alloc, strdup) have no header, and are passed through. No
 * header file is included: the candidate's text may define macros that change it. */
enum { squall_line = 64, squall_behind = 1024, squall_more = 2 * squall_line + squall_behind };
enum { squall_poison = 0xff, squall_most = 65536 /* limit, so that calls stay fast */ };

/* The header before a block. */
struct squall_head {
    struct squall_head *next, **link; /* list of all blocks, and the pointer to this one */
    void *from;                       /* the pointer that malloc returned */
    __SIZE_TYPE__ n, mark;            /* size; a mark that identifies a header */
};

static struct squall_head *squall_heads;
static char squall_lock;
static const char *squall_overrun;
static __SIZE_TYPE__ squall_uncounted, *squall_extra = &squall_uncounted;

void *__real_malloc(__SIZE_TYPE__ n);
void *__real_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size);
void *__real_realloc(void *p, __SIZE_TYPE__ n);
void __real_free(void *p);
void *__wrap_malloc(__SIZE_TYPE__ n);
void *__wrap_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size);
void *__wrap_realloc(void *p, __SIZE_TYPE__ n);
void __wrap_free(void *p);
const char *squall_memory_error(void);
void squall_memory_count(__SIZE_TYPE__ *extra);

static __SIZE_TYPE__ squall_mark(const struct squall_head *h)
{
    return ((__SIZE_TYPE__)h ^ h->n) * 2654435769u;
}

/* Returns NULL if the block is not one of those below. */
static struct squall_head *squall_head_of(void *p)
{
    struct squall_head *h = p && (__SIZE_TYPE__)p % squall_line == 0 ? (struct squall_head *)p - 1 : 0;
    return h && h->mark == squall_mark(h) ? h : 0;
}

static void squall_enter(void)
{
    while (__atomic_test_and_set(&squall_lock, __ATOMIC_ACQUIRE))
        ;
}

static void squall_leave(void)
{
    __atomic_clear(&squall_lock, __ATOMIC_RELEASE);
}

static void squall_look_behind(const struct squall_head *h)
{
    const unsigned char *behind = (const unsigned char *)(h + 1) + h->n;
    for (int i = 0; i < squall_behind; i++)
        if (behind[i] != squall_poison)
            squall_overrun = "wrong 0 writes past the end of memory that it allocated";
}

/* Returns the harness's reply after a call; NULL: no guard zone has changed. */
const char *squall_memory_error(void)
{
    squall_enter();
    for (const struct squall_head *h = squall_heads; h; h = h->next)
        squall_look_behind(h);
    squall_leave();
    return squall_overrun;
}

/* From now on *extra is the number of bytes in use that the candidate did not request. */
void squall_memory_count(__SIZE_TYPE__ *extra)
{
    *extra = *squall_extra;
    squall_extra = extra;
}

static void squall_link(struct squall_head *h)
{
    squall_enter();
    h->next = squall_heads;
    h->link = &squall_heads;
    if (h->next)
        h->next->link = &h->next;
    squall_heads = h;
    *squall_extra += squall_more;
    squall_leave();
}

static void squall_unlink(struct squall_head *h)
{
    squall_enter();
    squall_look_behind(h);
    *h->link = h->next;
    if (h->next)
        h->next->link = h->link;
    *squall_extra -= squall_more;
    squall_leave();
}

static __SIZE_TYPE__ squall_with_more(__SIZE_TYPE__ n)
{
    /* too large: malloc fails */
    return n <= __PTRDIFF_MAX__ - squall_more ? n + squall_more : __PTRDIFF_MAX__;
}

/* Makes a block of n bytes in memory of squall_with_more(n); NULL for NULL. */
static void *squall_block(char *from, __SIZE_TYPE__ n)
{
    if (!from)
        return 0;
    char *block = from + squall_line + (-(__SIZE_TYPE__)from & (squall_line - 1));
    struct squall_head *h = (struct squall_head *)(void *)block - 1;
    __builtin_memset(block + n, squall_poison, squall_behind);
    h->from = from;
    h->n = n;
    h->mark = squall_mark(h);
    squall_link(h);
    return block;
}

void *__wrap_malloc(__SIZE_TYPE__ n)
{
    void *block = squall_block(__real_malloc(squall_with_more(n)), n);
    return block ? __builtin_memset(block, squall_poison, n < squall_most ? n : squall_most) : 0;
}

void *__wrap_calloc(__SIZE_TYPE__ n, __SIZE_TYPE__ size)
{
    __SIZE_TYPE__ all;
    return __builtin_mul_overflow(n, size, &all)
               ? 0
               : squall_block(__real_calloc(1, squall_with_more(all)), all);
}

void __wrap_free(void *p)
{
    struct squall_head *h = squall_head_of(p);
    if (h) {
        squall_unlink(h);
        h->mark = 0;
    }
    __real_free(h ? h->from : p);
}

void *__wrap_realloc(void *p, __SIZE_TYPE__ n)
{
    const struct squall_head *h = squall_head_of(p);
    void *block = h || !p ? __wrap_malloc(n) : __real_realloc(p, n);
    if (h && block) {
        __builtin_memcpy(block, p, n < h->n ? n : h->n);
        __wrap_free(p);
    }
    return block;
}
