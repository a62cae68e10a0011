// SPDX-License-Identifier: Apache-2.0

#ifndef SERVERTRUST_DECOMPRESSION_H
#define SERVERTRUST_DECOMPRESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Streaming decompression of gzip (RFC 1952), zlib (RFC 1950) and bare deflate (RFC 1951) by zlib, of Zstandard (RFC 8878) by libzstd, and
// of Brotli (RFC 7932) by libbrotlidec. Members of gzip and frames of Zstandard may follow each other. Bytes behind the end of the others
// are an error.
//
// libzstd and libbrotlidec are opened when the first stream needs them: a machine without them reads everything else.

typedef struct servertrust_decompressor servertrust_decompressor;

enum servertrust_compression {
    SERVERTRUST_GZIP = 1,
    SERVERTRUST_ZSTD = 2,
    SERVERTRUST_ZLIB = 3,
    SERVERTRUST_DEFLATE = 4,
    SERVERTRUST_BROTLI = 5,
    // Zstandard with windows of at most 8 MiB, as RFC 9659 requires of the bodies of HTTP.
    SERVERTRUST_ZSTD_BODY = 6,
};

enum servertrust_decompression_result {
    // More input is wanted, or there is more output.
    SERVERTRUST_DECOMPRESSION_GOES_ON = 0,
    // A member or frame has ended: the input may end here.
    SERVERTRUST_DECOMPRESSION_AT_BOUNDARY = 1,
    // The input is damaged; `servertrust_decompression_error` says why.
    SERVERTRUST_DECOMPRESSION_FAILED = 2,
};

// NULL if there is no memory, or if this machine lacks the library.
servertrust_decompressor *_Nullable servertrust_decompressor_create(enum servertrust_compression format);
void servertrust_decompressor_destroy(servertrust_decompressor *_Nonnull decompressor);

// Takes some of `input`, and writes some of `output`. `taken` and `written` are always set.
enum servertrust_decompression_result servertrust_decompress(
    servertrust_decompressor *_Nonnull decompressor, const uint8_t *_Nonnull input, size_t input_size, size_t *_Nonnull taken,
    uint8_t *_Nonnull output, size_t output_size, size_t *_Nonnull written);

// The library's reason for the last failure.
const char *_Nonnull servertrust_decompression_error(const servertrust_decompressor *_Nonnull decompressor);

// Whether the input so far ends with a whole block of deflate. False for Zstandard and Brotli.
bool servertrust_decompressor_is_between_blocks(const servertrust_decompressor *_Nonnull decompressor);

// Compression to bare deflate (RFC 1951) in pieces that end with an empty block (RFC 7692).
typedef struct servertrust_deflater servertrust_deflater;

// `window_bits` is from 9 to 15. NULL for another number, or if there is no memory.
servertrust_deflater *_Nullable servertrust_deflater_create(int window_bits);
void servertrust_deflater_destroy(servertrust_deflater *_Nonnull deflater);

// Takes some of `input`, and writes some of `output`. The piece is complete when all of it is taken and `output` isn't full. False if zlib
// fails.
bool servertrust_deflate(
    servertrust_deflater *_Nonnull deflater, const uint8_t *_Nonnull input, size_t input_size, size_t *_Nonnull taken,
    uint8_t *_Nonnull output, size_t output_size, size_t *_Nonnull written);

#endif
