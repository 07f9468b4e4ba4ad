/* Device files: the devices that squall knows (tuner/device/devices.json), and those that users
 * describe in a file of the same format, one JSON object: `squall show machine --machine=NAME
 * --json` prints one to begin with. */
#ifndef SQ_TUNER_DEVICE_DEVICE_FILE_H
#define SQ_TUNER_DEVICE_DEVICE_FILE_H
#include "ir/machine/device.h"
#include "support/arena.h"
#include "support/diag.h"

struct json_t; /* jansson.h */

enum { SQ_MAX_DEVICES = 32 };
extern const sq_device sq_devices[]; /* tuner/device/devices.json; terminated by a NULL name */

/* Returns the number of known devices, and their names. */
int sq_device_names(const char **to);
/* Returns the known device of that name; if `name` is an architecture, its first device. NULL:
 * none. */
const sq_device *sq_device_known(const char *name);
/* True if the text is a file name: it has a slash, or ends in .json. */
bool sq_device_is_file(const char *name);
/* Reads a file. NULL after adding an error: SQ_FAULT_WORLD if it cannot be read, SQ_FAULT_INPUT
 * with the location if it is not a device. */
const sq_device *sq_device_read(const char *path, sq_arena *arena, sq_diags *d);
/* Returns the object of a device, which the caller frees. */
struct json_t *sq_device_json(const sq_device *d);
#endif
