/* Replaces CUDA's header of this name: the text that includes it runs on the CPU. */
#ifndef SQUALL_CUDA_RUNTIME_H
#define SQUALL_CUDA_RUNTIME_H
#include "squall_simt/device.h"
#include "squall_simt/host.h"
#include "squall_simt/math.h"
#endif
