/* Case: arguments and guard zones. See case.h; compare.c compares. Arrays are in mappings of their own
 * between two unmapped pages, so that an access out of bounds traps at once if the array is next to
 * that page, and otherwise changes the pattern around it. */
#define _GNU_SOURCE
#include "runtime/case.h"
#include "runtime/fill.h"
#include "runtime/mapping.h"
#include "runtime/poison.h"
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE = 64 }; /* bytes of a cache line */

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Returns the minimum of writable bytes around an array. */
static size_t zone_bytes(void)
{
    return 2 * page_bytes();
}

/* ---- spec ---- */

static int read_type(const char *s, sq_element *t)
{
    int found = sq_element_named(s);
    *t = found < 0 ? SQ_CASE_F32 : (sq_element)found;
    return found < 0 ? -1 : 0;
}

static int read_extents(sq_case_param *p, const char *rest)
{
    p->count = 1;
    for (int d = 0; d < p->ndim; d++) {
        char *end;
        p->extent[d] = strtoll(rest, &end, 10);
        if (end == rest)
            return -1;
        rest = end;
        size_t n = p->extent[d] > 0 ? (size_t)p->extent[d] : 0;
        if (__builtin_mul_overflow(p->count, n, &p->count))
            return -1;
    }
    return __builtin_mul_overflow(p->count, type_bytes(p->type), &p->bytes) ? -1 : 0;
}

static int read_array(sq_case_param *p, const char *line)
{
    char type[16], role[8];
    int used = 0;
    if (sscanf(line, "array %ms %15s %7s %d%n", &p->name, type, role, &p->ndim, &used) != 4)
        return -1;
    if (read_type(type, &p->type) < 0 || p->ndim < 0 || p->ndim > SQ_CASE_DIMS)
        return -1;
    p->kind = 'a';
    p->role = strcmp(role, "in") == 0 ? 'i' : strcmp(role, "out") == 0 ? 'o' : 'b';
    return read_extents(p, line + used);
}

static int read_value(sq_case_param *p, const char *line)
{
    char type[16];
    int64_t v = 0;
    if (sscanf(line, "size %ms %15s %" SCNd64, &p->name, type, &v) == 3)
        p->kind = 's';
    else if (sscanf(line, "scalar %ms %15s", &p->name, type) == 2)
        p->kind = 'c';
    else
        return -1;
    if (read_type(type, &p->type) < 0)
        return -1;
    p->value.integer = v;
    return 0;
}

static int read_param(sq_case *c, const char *line)
{
    size_t n = (size_t)c->nparams + 1;
    sq_case_param *param = realloc(c->param, n * sizeof *param);
    c->param = param ? param : c->param;
    void **arg = realloc(c->arg, n * sizeof *arg);
    c->arg = arg ? arg : c->arg;
    if (!param || !arg)
        return -1;
    sq_case_param *p = &c->param[c->nparams++];
    *p = (sq_case_param){0};
    return strncmp(line, "array ", 6) == 0 ? read_array(p, line) : read_value(p, line);
}

/* Reads a line about an array of an earlier line: how it is filled, how exact it must be. */
static int read_more(sq_case *c, const char *line)
{
    const char *name = line + strcspn(line, " ") + 1;
    size_t n = strcspn(name, " \n");
    char how[32];
    if (sscanf(name + n, "%31s", how) != 1)
        return -1;
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        if (p->kind != 'a' || strlen(p->name) != n || memcmp(p->name, name, n) != 0)
            continue;
        if (strncmp(line, "rounding", 8) == 0) {
            p->rounding = strtod(how, NULL);
            return 0;
        }
        if (strncmp(line, "sign ", 5) == 0) {
            p->has_signs = 1;
            return 0;
        }
        if (strncmp(line, "align ", 6) == 0)
            return (p->align = strtoul(how, NULL, 10)) > 0 ? 0 : -1;
        if (strncmp(line, "within ", 7) == 0)
            return (p->has_range = sscanf(name + n, "%" SCNd64 " %" SCNd64, &p->least, &p->most) == 2) ? 0 : -1;
        if (strncmp(line, "places ", 7) == 0)
            return (p->places = strtoll(how, NULL, 10)) > 0 ? 0 : -1;
        p->fill = how[0];
        return strcmp(how, "diagonal") == 0 || strcmp(how, "small") == 0 ||
                       strcmp(how, "extreme") == 0 || strcmp(how, "large") == 0
                   ? 0
                   : -1;
    }
    return -1;
}

static int read_nonfinite(sq_case *c, const char *line)
{
    c->nonfinite |= sscanf(line, "nonfinite %d %d", &c->has_signs, &c->bounded) == 2;
    return strncmp(line, "nonfinite ", 10) == 0;
}

static int read_threshold(sq_case *c, const char *line)
{
    sq_case_threshold t = {0};
    t.is_real = sscanf(line, "threshold real %lf", &t.real) == 1;
    bool read = t.is_real || sscanf(line, "threshold integer %" SCNd64, &t.integer) == 1;
    if (!read || c->nthresholds == SQ_CASE_THRESHOLDS)
        return 0;
    c->threshold[c->nthresholds++] = t;
    return 1;
}

static int read_line(sq_case *c, const char *line)
{
    if (strncmp(line, "fill ", 5) == 0 || strncmp(line, "rounding ", 9) == 0 || strncmp(line, "sign ", 5) == 0 ||
        strncmp(line, "places ", 7) == 0 || strncmp(line, "align ", 6) == 0 || strncmp(line, "within ", 7) == 0)
        return read_more(c, line);
    if (sscanf(line, "seed %" SCNu64, &c->seed) == 1 ||
        sscanf(line, "positive %d", &c->positive) == 1 ||
        sscanf(line, "steps %d", &c->steps) == 1 ||
        sscanf(line, "reach %lf %d", &c->reach, &c->degree) == 2 ||
        sscanf(line, "spread %d", &c->spread) == 1 || sscanf(line, "draws %d", &c->draws) == 1 ||
        sscanf(line, "special %d %d %d %d", &c->small, &c->large, &c->wide, &c->no_number) == 4 ||
        sscanf(line, "order %lf", &c->order) == 1 || sscanf(line, "carried %d", &c->carried) == 1 ||
        read_nonfinite(c, line) || sscanf(line, "thresholds %d", &c->thresholds) == 1 ||
        read_threshold(c, line) || line[0] == '\n' || strncmp(line, "squall-case 1", 13) == 0)
        return 0;
    if (strncmp(line, "integers ", 9) == 0) {
        c->all_integers = strncmp(line + 9, "all", 3) == 0      ? 8
                          : strncmp(line + 9, "narrow", 6) == 0 ? 2
                                                                : 0;
        return 0;
    }
    return read_param(c, line);
}

static void lay_out(sq_case *c)
{
    size_t at = 0;
    for (int i = 0; i < c->nparams; i++) {
        c->param[i].before = at;
        at += round_up(c->param[i].bytes, LINE);
        c->param[i].after = at;
        at += c->param[i].role == 'i' ? 0 : round_up(c->param[i].bytes, LINE);
        c->param[i].moves = at;
        at += LINE;
        c->param[i].marks = at;
        at += c->carried && c->param[i].role != 'i' ? round_up(c->param[i].count, LINE) : 0;
    }
    c->data_bytes = at ? at : 1;
}

/* Reads from a file, which is closed; NULL: it could not be opened. */
static int read_spec(sq_case *c, FILE *f, char *why)
{
    char *line = NULL;
    size_t room = 0;
    *c = (sq_case){.draws = 1};
    if (!f) {
        snprintf(why, WHY, "cannot open the case");
        return -1;
    }
    int rc = 0;
    while (rc == 0 && getline(&line, &room, f) > 0)
        rc = read_line(c, line);
    fclose(f);
    if (rc < 0)
        snprintf(why, WHY, "cannot read the case: %.150s", line);
    free(line);
    lay_out(c);
    return rc;
}

int sq_case_read(sq_case *c, const char *spec, char *why)
{
    return read_spec(c, fopen(spec, "r"), why);
}

int sq_case_read_text(sq_case *c, const char *text, size_t n, char *why)
{
    return read_spec(c, fmemopen((void *)(uintptr_t)text, n, "r"), why);
}

void sq_case_free(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        free(c->param[i].name);
        free(c->param[i].spread);
        free(c->param[i].as_written);
        free(c->param[i].doubted);
    }
    free(c->param);
    free(c->arg);
    memset(c, 0, sizeof *c);
}

/* Returns the bytes of the data if it has no file. */
static size_t own_bytes(const sq_case *c)
{
    return round_up(c->data_bytes, page_bytes());
}

void sq_case_unmap(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].map)
            sq_mapping_keep(c->param[i].map, c->param[i].map_bytes, true);
    if (c->data)
        sq_mapping_keep(c->data, own_bytes(c), false);
}

/* ---- values ---- */

static void put_poison(unsigned char low, unsigned char *at, size_t bytes)
{
    size_t done = bytes < 2 ? bytes : 2;
    for (size_t i = 0; i < done; i++)
        at[i] = poison_at(low, i);
    for (size_t n; done < bytes; done += n) { /* twice as much each time */
        n = done < bytes - done ? done : bytes - done;
        memcpy(at + done, at, n);
    }
}

static void fill_data(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        if (p->kind == 'a' && p->role == 'o')
            put_poison(INSIDE, c->data + p->before, p->bytes);
        else if (p->kind == 'a')
            sq_fill_array(c, i);
    }
}

/* Returns private memory of this process. Bytes that no array is copied to are 0. */
static void *map_own(const sq_case *c)
{
    unsigned char *data = sq_mapping_spare(own_bytes(c), false);
    if (!data)
        data = sq_mapping_new(own_bytes(c), PROT_READ | PROT_WRITE);
    else if (mprotect(data, own_bytes(c), PROT_READ | PROT_WRITE) != 0)
        return MAP_FAILED;
    for (int i = 0; data && i < c->nparams; i++) {
        const sq_case_param *p = &c->param[i];
        size_t end = i + 1 < c->nparams ? p[1].before : c->data_bytes;
        memset(data + p->moves, 0, end - p->moves);
    }
    return data ? data : MAP_FAILED;
}

/* Returns memory of a file, or private memory. */
static void *map_data(const sq_case *c, const char *path, int create)
{
    int writes = create ? PROT_READ | PROT_WRITE : PROT_READ;
    if (!path)
        return map_own(c);
    int fd =
        open(path, create ? O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0600);
    struct stat st;
    void *data = MAP_FAILED;
    if (fd >= 0 && (!create || ftruncate(fd, (off_t)c->data_bytes) == 0) && fstat(fd, &st) == 0 &&
        (size_t)st.st_size == c->data_bytes)
        data = mmap(NULL, c->data_bytes, writes, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return data;
}

int sq_case_map(sq_case *c, const char *path, int create, char *why)
{
    void *data = map_data(c, path, create);
    if (data == MAP_FAILED) {
        snprintf(why, WHY, "cannot map the data of the case");
        return -1;
    }
    c->data = data;
    sq_fill_scalars(c);
    if (create)
        fill_data(c); /* including the scalars */
    return 0;
}

int sq_case_seal(sq_case *c, char *why)
{
    if (mprotect(c->data, c->data_bytes, PROT_READ) == 0)
        return 0;
    snprintf(why, WHY, "cannot protect the data of the case");
    return -1;
}

/* ---- placing ---- */

static int map_array(sq_case_param *p)
{
    p->map_bytes = round_up(p->bytes, page_bytes()) + 2 * zone_bytes() + 2 * page_bytes();
    p->map = sq_mapping_spare(p->map_bytes, true);
    if (!p->map && !(p->map = sq_mapping_new(p->map_bytes, PROT_NONE)))
        return -1;
    return mprotect(p->map + page_bytes(), p->map_bytes - 2 * page_bytes(), PROT_READ | PROT_WRITE);
}

/* Offsets arrays by some lines, so that no two start at the same offset of a page. */
static unsigned char *place_of(const sq_case_param *p, int index, sq_place place)
{
    size_t align = p->align ? p->align : 1, last = p->map_bytes - page_bytes() - p->bytes;
    if (place == SQ_PLACE_END)
        return p->map + last / align * align;
    if (place == SQ_PLACE_START)
        return p->map + page_bytes();
    return p->map + page_bytes() + zone_bytes() + (size_t)(index * 9 * LINE) % zone_bytes() / align * align;
}

static void poison_around(const sq_case *c, sq_case_param *p)
{
    unsigned char *lo = p->map + page_bytes(), *hi = p->map + p->map_bytes - page_bytes();
    unsigned char *end = p->at + p->bytes;
    put_poison(around(c, p), lo, (size_t)(p->at - lo));
    put_poison(around(c, p), end, (size_t)(hi - end));
}

int sq_case_place(sq_case *c, sq_place place, char *why)
{
    for (int i = 0; i < c->nparams; i++) {
        sq_case_param *p = &c->param[i];
        c->arg[i] = &p->value;
        if (p->kind != 'a')
            continue;
        if (!p->map && map_array(p) < 0) {
            snprintf(why, WHY, "no memory for '%.*s'", SHOWN, p->name);
            return -1;
        }
        p->at = place_of(p, i, place);
        poison_around(c, p);
        if (p->role == 'o')
            put_poison(INSIDE, p->at, p->bytes);
        else
            memcpy(p->at, c->data + p->before, p->bytes);
        c->arg[i] = p->at;
    }
    return 0;
}

void sq_case_keep(sq_case *c)
{
    for (int i = 0; i < c->nparams; i++)
        if (c->param[i].kind == 'a' && c->param[i].role != 'i')
            memcpy(c->data + c->param[i].after, c->param[i].at, c->param[i].bytes);
}

void sq_case_moves(sq_case *c, int param, double times)
{
    memcpy(c->data + c->param[param].moves, &times, sizeof times);
}
