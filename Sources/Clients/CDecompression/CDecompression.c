// SPDX-License-Identifier: Apache-2.0

#include "CDecompression.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The part of libzstd's stable interface that is used, as <zstd.h> has it since 1.4.0. The library is opened at run time, so that neither
// its headers nor the library itself are needed by those who read no such file.
typedef struct {
    const void *source;
    size_t size;
    size_t position;
} zstd_input;

typedef struct {
    void *destination;
    size_t size;
    size_t position;
} zstd_output;

struct zstd_library {
    void *(*create)(void);
    size_t (*destroy)(void *);
    size_t (*decompress)(void *, zstd_output *, zstd_input *);
    unsigned (*is_error)(size_t);
    const char *(*error_name)(size_t);
};

struct servertrust_decompressor {
    enum servertrust_compression format;
    // Of every format but Zstandard.
    z_stream deflated;
    // Whether a member has ended. The next byte begins another one, in gzip only.
    bool is_between_members;
    struct zstd_library library;
    void *zstd;
    const char *error;
};

static bool open_zstd(struct zstd_library *library) {
#if defined(__APPLE__)
    // Whole paths alone: a bare name would be looked for in the working folder too.
    const char *names[] = {"/opt/homebrew/lib/libzstd.1.dylib", "/usr/local/lib/libzstd.1.dylib", "/usr/lib/libzstd.1.dylib"};
#else
    const char *names[] = {"libzstd.so.1"};
#endif
    void *handle = NULL;
    for (size_t index = 0; handle == NULL && index < sizeof names / sizeof *names; index++)
        handle = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return false;
    // The library stays open: the process has at most one handle that counts.
    *(void **)&library->create = dlsym(handle, "ZSTD_createDStream");
    *(void **)&library->destroy = dlsym(handle, "ZSTD_freeDStream");
    *(void **)&library->decompress = dlsym(handle, "ZSTD_decompressStream");
    *(void **)&library->is_error = dlsym(handle, "ZSTD_isError");
    *(void **)&library->error_name = dlsym(handle, "ZSTD_getErrorName");
    return library->create && library->destroy && library->decompress && library->is_error && library->error_name;
}

servertrust_decompressor *servertrust_decompressor_create(enum servertrust_compression format) {
    servertrust_decompressor *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->format = format;
    made->error = "no error";
    bool is_ready = false;
    switch (format) {
    case SERVERTRUST_GZIP:
        // 16: a gzip header is expected, and its checksum is verified.
        is_ready = inflateInit2(&made->deflated, 16 + MAX_WBITS) == Z_OK;
        break;
    case SERVERTRUST_ZLIB:
        is_ready = inflateInit2(&made->deflated, MAX_WBITS) == Z_OK;
        break;
    case SERVERTRUST_DEFLATE:
        // Below 0: neither header nor checksum.
        is_ready = inflateInit2(&made->deflated, -MAX_WBITS) == Z_OK;
        break;
    case SERVERTRUST_ZSTD:
        if (!open_zstd(&made->library)) break;
        made->zstd = made->library.create();
        is_ready = made->zstd != NULL;
        break;
    }
    if (!is_ready) {
        free(made);
        return NULL;
    }
    return made;
}

void servertrust_decompressor_destroy(servertrust_decompressor *decompressor) {
    if (decompressor->format != SERVERTRUST_ZSTD) inflateEnd(&decompressor->deflated);
    if (decompressor->zstd != NULL) decompressor->library.destroy(decompressor->zstd);
    free(decompressor);
}

static enum servertrust_decompression_result inflate_some(
    servertrust_decompressor *decompressor, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    z_stream *stream = &decompressor->deflated;
    if (decompressor->is_between_members) {
        if (input_size == 0) return SERVERTRUST_DECOMPRESSION_AT_BOUNDARY;
        if (decompressor->format != SERVERTRUST_GZIP) {
            decompressor->error = "bytes behind the end";
            return SERVERTRUST_DECOMPRESSION_FAILED;
        }
        // Zeros fill the last block of a tape, as gzip allows.
        size_t zeros = 0;
        while (zeros < input_size && input[zeros] == 0) zeros++;
        if (zeros > 0) {
            *taken = zeros;
            return SERVERTRUST_DECOMPRESSION_AT_BOUNDARY;
        }
        if (inflateReset(stream) != Z_OK) return SERVERTRUST_DECOMPRESSION_FAILED;
        decompressor->is_between_members = false;
    }
    stream->next_in = (Bytef *)input;
    stream->avail_in = input_size > UINT_MAX ? UINT_MAX : (uInt)input_size;
    stream->next_out = output;
    stream->avail_out = output_size > UINT_MAX ? UINT_MAX : (uInt)output_size;
    int result = inflate(stream, Z_NO_FLUSH);
    *taken = (size_t)(stream->next_in - input);
    *written = (size_t)(stream->next_out - output);
    if (result == Z_STREAM_END) {
        decompressor->is_between_members = true;
        return SERVERTRUST_DECOMPRESSION_AT_BOUNDARY;
    }
    // Z_BUF_ERROR: nothing could be done with so little input.
    if (result == Z_OK || result == Z_BUF_ERROR) return SERVERTRUST_DECOMPRESSION_GOES_ON;
    decompressor->error = stream->msg != NULL ? stream->msg : result == Z_NEED_DICT ? "a preset dictionary" : "no such format";
    return SERVERTRUST_DECOMPRESSION_FAILED;
}

static enum servertrust_decompression_result unzstd(
    servertrust_decompressor *decompressor, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    zstd_input in = {input, input_size, 0};
    zstd_output out = {output, output_size, 0};
    size_t result = decompressor->library.decompress(decompressor->zstd, &out, &in);
    *taken = in.position;
    *written = out.position;
    if (decompressor->library.is_error(result)) {
        decompressor->error = decompressor->library.error_name(result);
        return SERVERTRUST_DECOMPRESSION_FAILED;
    }
    return result == 0 ? SERVERTRUST_DECOMPRESSION_AT_BOUNDARY : SERVERTRUST_DECOMPRESSION_GOES_ON;
}

enum servertrust_decompression_result servertrust_decompress(
    servertrust_decompressor *decompressor, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    *taken = 0;
    *written = 0;
    return decompressor->format == SERVERTRUST_ZSTD
        ? unzstd(decompressor, input, input_size, taken, output, output_size, written)
        : inflate_some(decompressor, input, input_size, taken, output, output_size, written);
}

const char *servertrust_decompression_error(const servertrust_decompressor *decompressor) { return decompressor->error; }

bool servertrust_decompressor_is_between_blocks(const servertrust_decompressor *decompressor) {
    return decompressor->format != SERVERTRUST_ZSTD && (decompressor->deflated.data_type & 128) != 0;
}

struct servertrust_deflater {
    z_stream stream;
};

servertrust_deflater *servertrust_deflater_create(int window_bits) {
    servertrust_deflater *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    // Below 0: neither header nor checksum. zlib refuses a window of 8 bits. 8 is zlib's default for memory.
    if (deflateInit2(&made->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK) return made;
    free(made);
    return NULL;
}

void servertrust_deflater_destroy(servertrust_deflater *deflater) {
    deflateEnd(&deflater->stream);
    free(deflater);
}

bool servertrust_deflate(
    servertrust_deflater *deflater, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    z_stream *stream = &deflater->stream;
    stream->next_in = (Bytef *)input;
    stream->avail_in = input_size > UINT_MAX ? UINT_MAX : (uInt)input_size;
    stream->next_out = output;
    stream->avail_out = output_size > UINT_MAX ? UINT_MAX : (uInt)output_size;
    int result = deflate(stream, Z_SYNC_FLUSH);
    *taken = (size_t)(stream->next_in - input);
    *written = (size_t)(stream->next_out - output);
    return result == Z_OK || result == Z_BUF_ERROR;
}
