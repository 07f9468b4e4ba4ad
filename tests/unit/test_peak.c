/* Machine peak: there are loops for every class that this processor runs, and for no other. */
#include "ir/machine/machine.h"
#include "tests/unit/unit.h"
#include "tuner/device/machine_peak.h"

/* A class without loops of its own would have the figures of another one. */
static void every_class_is_measured(void **state)
{
    sq_peak p;
    (void)state;
    for (const sq_machine *m = sq_machines; m->name; m++)
        if (sq_machine_runs(m->isa) && !sq_peak_measure(m->isa, &p))
            fail_msg("tuner/device/machine_peak.c has no loops for class '%s'", m->name);
    assert_false(sq_peak_measure("sse9", &p));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_class_is_measured)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
