/* Languages: the languages of emitted text, a row each; see target.h. */
#include "codegen/emit.h"

const sq_language sq_language_c = {.extension = true,
                                   .fresh = true,
                                   .unroll = "SQ_UNROLL",
                                   .restricted = "restrict",
                                   .suffix = ".c",
                                   .source = sq_c_source,
                                   .header = sq_c_header,
                                   .entry = sq_c_entry};

const sq_language sq_language_cuda = {.unrolls = true,
                                      .restricted = "__restrict__",
                                      .suffix = ".cu",
                                      .rounded = &sq_cuda_rounded,
                                      .source = sq_cuda_source,
                                      .header = sq_cuda_header,
                                      .entry = sq_cuda_entry};
