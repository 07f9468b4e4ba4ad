/* Device files: the devices that squall knows (tuner/device/devices.json), and those that people describe
 * in a file of the same form, one JSON object: `squall show machine --machine=NAME --json` prints
 * one to begin with. */
#ifndef SQ_TUNER_DEVICE_DEVICE_FILE_H
#define SQ_TUNER_DEVICE_DEVICE_FILE_H
#include "ir/machine/device.h"
#include "support/arena.h"
#include "support/diag.h"

struct json_t; /* jansson.h */

enum { SQ_MAX_DEVICES = 32 };
extern const sq_device sq_devices[]; /* tuner/device/devices.json; ended by a NULL name */

/* Names of the known ones; their number. */
int sq_device_names(const char **to);
/* The known one of that name; where `name` is an architecture, the first of it. NULL: none. */
const sq_device *sq_device_known(const char *name);
/* True if the text names a file: it has a slash, or ends in .json. */
bool sq_device_is_file(const char *name);
/* Reads a file. NULL after adding an error: SQ_FAULT_WORLD where it cannot be read, SQ_FAULT_INPUT
 * with the place where it is no device. */
const sq_device *sq_device_read(const char *path, sq_arena *arena, sq_diags *d);
/* The object of a device; the caller's to free. */
struct json_t *sq_device_json(const sq_device *d);
#endif
