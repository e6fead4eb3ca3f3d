// zlib's header, and wrappers for what Swift can't call: the init macros.
#pragma once

#include <zlib.h>

/// Window bits 15 with the gzip wrapper (+16).
static inline int receiptmill_inflate_init_gzip(z_stream *stream) {
    return inflateInit2(stream, 15 + 16);
}

static inline int receiptmill_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
