/* Roofs: see roofs.h. Writes cost more than reads, as their cache line is read first. How much more
 * follows from the two loops that are measured: a triad reads two arrays, whose cost the sum gives,
 * and writes one. */
#include "tuner/device/roofs.h"
#include "ir/kernel/touch.h"
#include "support/file.h"
#include "support/text.h"
#include "tuner/measure/case_spec.h"
#include "tuner/device/machine_peak.h"
#include "tuner/device/stream.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CACHE_VERSION = 2 };
static const char *const level_name[SQ_LEVELS] = {"L1", "L2", "L3", "memory"};
/* Size of arrays beyond the caches: above `large` only twice the caches. Some virtual machines
 * report the last-level cache of a whole processor, of which they have a share. */
static const int64_t least_beyond = (int64_t)192 << 20, large = (int64_t)1 << 30;

/* ---- measuring ---- */

int64_t sq_roofs_bytes(const sq_host *h, sq_level level, int threads, int64_t available)
{
    const sq_machine *m = &h->machine;
    const int64_t size[] = {m->l1, m->l2, m->l3};
    if (level != SQ_MEMORY)
        return size[level] / 2 < least_beyond ? size[level] / 2 : least_beyond;
    int64_t caches = m->l3 * (threads > 1 && h->l3_groups > 1 ? h->l3_groups : 1);
    int64_t beyond = 4 * caches > least_beyond ? 4 * caches : least_beyond;
    if (beyond > large)
        beyond = 2 * caches > large ? 2 * caches : large;
    return beyond < available / 2 ? beyond : available / 2;
}

/* Returns the bytes that are available without evicting anything else. */
static int64_t available_now(void)
{
    long long kib = 0;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    while (f && !kib && fgets(line, sizeof line, f))
        sscanf(line, "MemAvailable: %lld kB", &kib);
    if (f)
        fclose(f);
    return kib ? kib << 10 : (int64_t)sysconf(_SC_AVPHYS_PAGES) * sysconf(_SC_PAGESIZE);
}

/* Noise on a busy machine must not reorder levels: none is slower than the next outer one. */
static void order_levels(sq_bandwidth *b)
{
    for (sq_level l = SQ_MEMORY; l > SQ_L1; l--) {
        b->sum[l - 1] = fmax(b->sum[l - 1], b->sum[l]);
        b->triad[l - 1] = fmax(b->triad[l - 1], b->triad[l]);
    }
}

/* Nor are all cores together slower than one core. */
static void order_cores(const sq_bandwidth *one, sq_bandwidth *all)
{
    for (sq_level l = SQ_L1; l < SQ_LEVELS; l++) {
        all->sum[l] = fmax(all->sum[l], one->sum[l]);
        all->triad[l] = fmax(all->triad[l], one->triad[l]);
    }
}

/* Returns false if memory or threads were lacking. */
static bool measure(const sq_host *h, const char *isa, int threads, sq_bandwidth *b)
{
    int64_t available = available_now();
    for (sq_level l = SQ_L1; l < SQ_LEVELS; l++) {
        bool is_private = l <= SQ_L2;
        int64_t bytes = sq_roofs_bytes(h, l, threads, available) / (is_private ? 1 : threads);
        if (!sq_stream_measure(isa, bytes, threads, &b->sum[l], &b->triad[l]))
            return false;
        b->sum[l] = fmax(b->sum[l], b->triad[l]); /* reading alone is not slower */
    }
    return true;
}

/* ---- the cached file ---- */

static void put_bandwidth(const sq_bandwidth *b, sq_text *to)
{
    for (sq_level l = SQ_L1; l < SQ_LEVELS; l++)
        sq_text_printf(to, "%s %.5g %.5g\n", level_name[l], b->sum[l], b->triad[l]);
}

static bool read_bandwidth(FILE *f, sq_bandwidth *b)
{
    for (sq_level l = SQ_L1; l < SQ_LEVELS; l++)
        if (fscanf(f, " %*s %lf %lf", &b->sum[l], &b->triad[l]) != 2 || b->sum[l] < 0.01 ||
            b->triad[l] < 0.01)
            return false;
    return true;
}

static bool read_cache(const char *path, sq_roofs *r)
{
    int version = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    bool good = fscanf(f, "squall-roofs %d f32 %lf f64 %lf one", &version, &r->f32, &r->f64) == 3 &&
                version == CACHE_VERSION && r->f32 > 0.1 && r->f64 > 0.1 &&
                read_bandwidth(f, &r->one) && fscanf(f, " all") == 0 && read_bandwidth(f, &r->all);
    fclose(f);
    return good;
}

static void write_cache(const char *path, const sq_roofs *r, sq_diags *d)
{
    sq_text t = {0};
    sq_diags *own = sq_diags_new();
    sq_text_printf(&t, "squall-roofs %d\nf32 %.5g\nf64 %.5g\none\n", CACHE_VERSION, r->f32, r->f64);
    put_bandwidth(&r->one, &t);
    sq_text_puts(&t, "all\n");
    put_bandwidth(&r->all, &t);
    if (sq_file_write(own, path, sq_text_str(&t), t.n, 0) < 0)
        sq_warning(d, SQ_NOWHERE, "%s; the machine is measured again next time",
                   sq_diags_message(own, 0));
    sq_diags_free(own);
    sq_text_free(&t);
}

bool sq_roofs_get(const sq_host *h, const char *isa, sq_roofs *to, sq_diags *d)
{
    char path[SQ_HOST_PATH];
    sq_peak p;
    sq_host_cache_path(h, isa, path);
    if (read_cache(path, to))
        return true;
    if (!sq_peak_measure(isa, &p))
        return false;
    to->f32 = p.f32;
    to->f64 = p.f64;
    if (!measure(h, isa, 1, &to->one) || !measure(h, isa, h->machine.cores, &to->all)) {
        to->one = to->all = (sq_bandwidth){.sum = {0}};
        sq_warning(d, SQ_NOWHERE,
                   "the bytes a second of caches and memory could not be measured: memory or "
                   "threads are lacking; figures are of the peak alone");
        return true;
    }
    to->one.triad[SQ_MEMORY] = fmax(to->one.triad[SQ_MEMORY], h->machine.bandwidth);
    to->one.sum[SQ_MEMORY] = fmax(to->one.sum[SQ_MEMORY], to->one.triad[SQ_MEMORY]);
    order_levels(&to->one);
    order_levels(&to->all);
    order_cores(&to->one, &to->all);
    write_cache(path, to, d);
    return true;
}

/* ---- a kernel ---- */

static bool runs(const sq_kernel *k, const sq_stmt *s, bool update, const int64_t *sizes)
{
    isl_set *all = sq_kernel_at(k, sq_stmt_instances(k, s, update), sizes);
    isl_bool never = isl_set_is_empty(all);
    isl_set_free(all);
    return never == isl_bool_false;
}

static bool reads(const sq_kernel *k, const sq_stmt *s, const sq_array *a, const int64_t *sizes)
{
    sq_access *read[SQ_MAX_STMT_READS];
    bool in_body[SQ_MAX_STMT_READS];
    int n = sq_stmt_all_reads(s, read, in_body);
    for (int i = 0; i < n; i++)
        if (read[i]->array == a && runs(k, s, in_body[i], sizes))
            return true;
    return false;
}

/* True if a statement that reads or writes the array has instances at these sizes. */
static bool is_touched(const sq_kernel *k, const sq_array *a, const int64_t *sizes)
{
    for (int i = 0; i < k->nstmts; i++)
        if (reads(k, k->stmt[i], a, sizes) ||
            (k->stmt[i]->write->array == a && runs(k, k->stmt[i], false, sizes)))
            return true;
    return false;
}

sq_traffic sq_kernel_traffic(const sq_kernel *k, const int64_t *sizes)
{
    sq_traffic t = {.held = sq_case_bytes(k, sizes)};
    for (int a = 0; a < k->narrays; a++) {
        const sq_array *x = k->array[a];
        double bytes = is_touched(k, x, sizes) ? sq_array_bytes(k, x, sizes) : 0;
        t.read += x->role == SQ_IN || x->role == SQ_INOUT ? bytes : 0;
        t.both += x->role == SQ_INOUT ? bytes : 0;
        t.written += x->role == SQ_OUT || x->role == SQ_INOUT ? bytes : 0;
    }
    return t;
}

double sq_roofs_peak(const sq_roofs *r, const sq_kernel *k, const int64_t *sizes, double words)
{
    double flops = sq_kernel_flops(k, sizes);
    sq_work w = sq_kernel_work(k, sizes);
    double time = words > 1 ? flops / (words * r->f32)
                            : w.f64 / r->f64 + w.f32 / r->f32 + w.integer_bytes / (4 * r->f32);
    return time > 0 ? flops / time : r->f32;
}

/* Returns the innermost level that holds everything. */
static sq_level level_of(const sq_machine *m, double held, int threads)
{
    return held <= (double)m->l1 * threads   ? SQ_L1
           : held <= (double)m->l2 * threads ? SQ_L2
           : held <= (double)m->l3           ? SQ_L3
                                             : SQ_MEMORY;
}

/* Bytes that are both read and written count once, as written. */
static double level_seconds(const sq_bandwidth *b, sq_level level, const sq_traffic *t)
{
    double read = 1 / b->sum[level], write = fmax(read, 3 / b->triad[level] - 2 * read);
    return 1e-9 * ((t->read - t->both) * read + t->written * write);
}

/* What a call leaves in a nearer cache the next one finds there: as much of the arrays as it holds may come from it. */
static double memory_seconds(const sq_bandwidth *b, const sq_machine *m, sq_level level, int threads,
                             const sq_traffic *t)
{
    const double holds[] = {(double)m->l1 * threads, (double)m->l2 * threads, (double)m->l3};
    double left = t->held, seconds = 0;
    for (sq_level l = SQ_L1; l < level; l++) {
        double here = fmin(left, holds[l]);
        seconds += here / t->held * level_seconds(b, l, t);
        left -= here;
    }
    return seconds + (t->held > 0 ? left / t->held : 1) * level_seconds(b, level, t);
}

sq_roof sq_roof_of(const sq_roofs *r, const sq_host *h, double peak, int threads, double flops,
                   const sq_traffic *t)
{
    const sq_bandwidth *b = threads > 1 ? &r->all : &r->one;
    sq_level level = level_of(&h->machine, t->held, threads);
    double compute = 1e-9 * flops / peak;
    double memory = b->sum[level] > 0 ? memory_seconds(b, &h->machine, level, threads, t) : 0;
    return (sq_roof){.seconds = fmax(compute, memory),
                     .peak = peak,
                     .flops = flops,
                     .bytes = t->read + t->written,
                     .memory = memory > compute ? level_name[level] : NULL};
}
