#pragma once

// Input that is read only is const; without functions for files, no header of the system belongs to this module.
#define ZLIB_CONST
#define Z_SOLO
#include <zlib.h>

// These are macros, which Swift doesn't see; 16 more bits of window size select the gzip format.
static inline int czlib_deflate_init(z_stream *_Nonnull stream) {
  return deflateInit2(stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int czlib_inflate_init(z_stream *_Nonnull stream) { return inflateInit2(stream, MAX_WBITS + 16); }
