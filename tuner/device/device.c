/* Known devices: rows generated from tuner/device/devices.json when squall is built. */
#include "tuner/device/device_file.h"
#include <string.h>

int sq_device_names(const char **to)
{
    int n = 0;
    while (n < SQ_MAX_DEVICES && sq_devices[n].name) {
        to[n] = sq_devices[n].name;
        n++;
    }
    return n;
}

const sq_device *sq_device_known(const char *name)
{
    for (const sq_device *d = sq_devices; d->name; d++)
        if (strcmp(d->name, name) == 0 || sq_device_arch(d->arch, name))
            return d;
    return NULL;
}

bool sq_device_is_file(const char *name)
{
    size_t n = strlen(name);
    return strchr(name, '/') || (n > 5 && strcmp(name + n - 5, ".json") == 0);
}
