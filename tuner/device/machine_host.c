/* Host machine: properties from hwloc, figures from machine_peak, cached under a fingerprint of the
 * properties. The cache has one "key value" per line, so that a person can read it; if it is
 * invalid the figures are measured again. */
#include "tuner/device/machine_host.h"
#include "support/file.h"
#include "support/hash.h"
#include "support/text.h"
#include "tuner/device/machine_peak.h"
#include "tuner/store/store.h"
#include <hwloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CACHE_VERSION = 2 };

/* ---- properties ---- */

static int64_t cache_size(hwloc_topology_t t, hwloc_obj_type_t type)
{
    hwloc_obj_t o = hwloc_get_obj_by_type(t, type, 0);
    return o && o->attr ? (int64_t)o->attr->cache.size : 0;
}

/* Returns the line size of the L1 cache, which loads may cross; 0: not known. */
static int cache_line(hwloc_topology_t t)
{
    hwloc_obj_t o = hwloc_get_obj_by_type(t, HWLOC_OBJ_L1CACHE, 0);
    return o && o->attr ? (int)o->attr->cache.linesize : 0;
}

static void read_cpu(hwloc_topology_t t, char *to, size_t n)
{
    hwloc_obj_t o = hwloc_get_obj_by_type(t, HWLOC_OBJ_PACKAGE, 0);
    const char *model = o ? hwloc_obj_get_info_by_name(o, "CPUModel") : NULL;
    snprintf(to, n, "%s", model && *model ? model : "unknown");
}

/* Starts from the class of the ISA, so that properties that hwloc does not know have a sensible
 * default. */
static void read_facts(sq_host *h)
{
    hwloc_topology_t t;
    h->machine = *sq_machine_class(sq_machine_host_isa());
    h->machine.name = "host";
    h->cost = *h->machine.cost;
    h->machine.cost = &h->cost;
    snprintf(h->cpu, sizeof h->cpu, "unknown");
    setenv("HWLOC_HIDE_ERRORS", "2", 0); /* errors are reported by us: /sys may not be mounted */
    if (hwloc_topology_init(&t) < 0)
        return;
    if (hwloc_topology_load(t) == 0) {
        sq_machine *m = &h->machine;
        int64_t l1 = cache_size(t, HWLOC_OBJ_L1CACHE), l2 = cache_size(t, HWLOC_OBJ_L2CACHE);
        int64_t l3 = cache_size(t, HWLOC_OBJ_L3CACHE);
        int cores = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_CORE);
        m->l1 = l1 ? l1 : m->l1;
        m->l2 = l2 ? l2 : m->l2;
        m->l3 = l3 ? l3 : m->l3;
        m->cores = cores > 0 ? cores : m->cores;
        int line = cache_line(t);
        h->cost.cache_line = line > 0 ? line : h->cost.cache_line;
        h->l3_groups = hwloc_get_nbobjs_by_type(t, HWLOC_OBJ_L3CACHE);
        read_cpu(t, h->cpu, sizeof h->cpu);
    }
    hwloc_topology_destroy(t);
}

static void make_fingerprint(sq_host *h)
{
    char text[400];
    const sq_machine *m = &h->machine;
    int n = snprintf(text, sizeof text, "%s|%s|%lld|%lld|%lld|%d", h->cpu, m->isa, (long long)m->l1,
                     (long long)m->l2, (long long)m->l3, m->cores);
    memcpy(h->fingerprint, sq_hash_bytes(text, (size_t)n).hex, sizeof h->fingerprint);
}

/* ---- figures ---- */

/* Rounds to units per cycle as hardware has them: a multiple of 1/2, at least 1/2. */
static double to_halves(double x)
{
    double r = round(2 * x) / 2;
    return r < 0.5 ? 0.5 : r;
}

static void take_figures(sq_host *h, const sq_peak *p)
{
    sq_machine *m = &h->machine;
    h->ghz = p->ghz;
    h->peak_f64 = p->f64;
    m->peak_f32 = p->f32;
    m->bandwidth = p->bandwidth;
    m->fma_per_cycle = to_halves(p->f32 / (p->ghz * 2 * (m->vector_bytes / 4.0)));
    m->fma_latency = (int)fmax(1, round(p->fma_latency));
}

void sq_host_cache_path(const sq_host *h, const char *isa, char *to)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    bool own = cache && cache[0] == '/';
    snprintf(to, SQ_HOST_PATH, "%s%s/squall/machine-%s%s%s",
             own             ? cache
             : home && *home ? home
                             : "/tmp",
             own ? "" : "/.cache", h->fingerprint, isa ? "-" : "", isa ? isa : "");
}

static bool read_cache(const char *path, sq_peak *p)
{
    int version = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return false;
    int n = fscanf(f, "squall-machine %d ghz %lf f32 %lf f64 %lf fma_latency %lf bandwidth %lf",
                   &version, &p->ghz, &p->f32, &p->f64, &p->fma_latency, &p->bandwidth);
    fclose(f);
    return n == 6 && version == CACHE_VERSION && p->ghz > 0.1 && p->f32 > 0.1 && p->f64 > 0.1 &&
           p->fma_latency > 0.1 && p->bandwidth > 0.01;
}

static void write_cache(const char *path, const sq_peak *p, sq_diags *d)
{
    sq_text t = {0};
    sq_diags *own = sq_diags_new();
    sq_text_printf(&t,
                   "squall-machine %d\nghz %.4g\nf32 %.5g\nf64 %.5g\nfma_latency %.3g\n"
                   "bandwidth %.4g\n",
                   CACHE_VERSION, p->ghz, p->f32, p->f64, p->fma_latency, p->bandwidth);
    sq_make_parents(path);
    if (sq_file_write(own, path, sq_text_str(&t), t.n, 0) < 0)
        sq_warning(d, SQ_NOWHERE, "%s; the machine is measured again next time",
                   sq_diags_message(own, 0));
    sq_diags_free(own);
    sq_text_free(&t);
}

void sq_host_get(sq_host *h, bool fresh, sq_diags *d)
{
    char path[SQ_HOST_PATH];
    sq_peak p = {0};
    memset(h, 0, sizeof *h);
    read_facts(h);
    make_fingerprint(h);
    sq_host_cache_path(h, NULL, path);
    h->cached = !fresh && read_cache(path, &p);
    if (!h->cached && !sq_peak_measure(h->machine.isa, &p)) {
        sq_warning(d, SQ_NOWHERE,
                   "there is nothing to measure a machine of class '%s' with; its "
                   "figures are those of the class",
                   h->machine.isa);
        return;
    }
    if (!h->cached)
        write_cache(path, &p, d);
    take_figures(h, &p);
}
