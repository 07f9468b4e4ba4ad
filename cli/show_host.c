/* squall show machine, of this one: what the tuner has measured of it. */
#include "cli/show.h"
#include "tuner/device/machine_host.h"

int sq_show_host(sq_task *task, sq_text *to, json_t *json)
{
    sq_host h;
    sq_host_get(&h, false, task->d);
    sq_machine_put(&h.machine, to);
    sq_text_line(to, "peak f64   %.1f GFLOP/s, one core", h.peak_f64);
    sq_text_line(to, "clock      %.2f GHz while measured", h.ghz);
    sq_text_line(to, "processor  %s", h.cpu);
    sq_text_line(to, "identity   %s", h.fingerprint);
    if (!json)
        return 0;
    json_t *facts = sq_machine_json(&h.machine);
    json_object_set_new(facts, "peak_f64", json_real(h.peak_f64));
    json_object_set_new(facts, "ghz", json_real(h.ghz));
    json_object_set_new(facts, "cpu", json_string(h.cpu));
    json_object_set_new(facts, "fingerprint", json_string(h.fingerprint));
    json_object_set_new(json, "machine", facts);
    return 0;
}
