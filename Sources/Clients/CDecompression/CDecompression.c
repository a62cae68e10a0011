// SPDX-License-Identifier: Apache-2.0

#include "CDecompression.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// The part of libzstd's stable interface that is used, as <zstd.h> has it since 1.4.0. Both libraries are opened at run time, so that
// neither their headers nor the libraries themselves are needed by those who read no such input.
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
    size_t (*set)(void *, int, int);
    unsigned (*is_error)(size_t);
    int (*error_code)(size_t);
    const char *(*error_name)(size_t);
};

// The part of libbrotlidec's stable interface that is used, as <brotli/decode.h> has it since 1.0.0.
struct brotli_library {
    void *(*create)(void *, void *, void *);
    void (*destroy)(void *);
    int (*decompress)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    int (*error_code)(const void *);
    const char *(*error_name)(int);
};

enum { BROTLI_FAILED = 0, BROTLI_ENDED = 1 };
// ZSTD_d_windowLogMax, a parameter of ZSTD_DCtx_setParameter.
enum { ZSTD_LARGEST_WINDOW = 100 };
// ZSTD_error_frameParameter_windowTooLarge
enum { ZSTD_WINDOW_TOO_LARGE = 16 };

struct servertrust_decompressor {
    enum servertrust_compression format;
    // Of the formats that zlib reads.
    z_stream deflated;
    // Whether a member has ended. The next byte begins another one, in gzip only.
    bool is_between_members;
    union {
        struct zstd_library zstd;
        struct brotli_library brotli;
    } library;
    // The stream of the library. NULL for the formats that zlib reads.
    void *stream;
    const char *error;
};

// The library stays open: the process has at most one handle that counts.
#if defined(__APPLE__)
// Whole paths alone: a bare name would be looked for in the working folder too.
#define LIBRARY(name, version) \
    (const char *[]){"/opt/homebrew/lib/" name "." version ".dylib", "/usr/local/lib/" name "." version ".dylib", \
                     "/usr/lib/" name "." version ".dylib", NULL}
#else
#define LIBRARY(name, version) (const char *[]){name ".so." version, NULL}
#endif

static void *open_library(const char **names) {
    void *handle = NULL;
    for (; handle == NULL && *names != NULL; names++) handle = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return handle;
}

static bool open_zstd(struct zstd_library *library) {
    void *handle = open_library(LIBRARY("libzstd", "1"));
    if (handle == NULL) return false;
    *(void **)&library->create = dlsym(handle, "ZSTD_createDStream");
    *(void **)&library->destroy = dlsym(handle, "ZSTD_freeDStream");
    *(void **)&library->decompress = dlsym(handle, "ZSTD_decompressStream");
    *(void **)&library->set = dlsym(handle, "ZSTD_DCtx_setParameter");
    *(void **)&library->is_error = dlsym(handle, "ZSTD_isError");
    *(void **)&library->error_code = dlsym(handle, "ZSTD_getErrorCode");
    *(void **)&library->error_name = dlsym(handle, "ZSTD_getErrorName");
    return library->create && library->destroy && library->decompress && library->set && library->is_error && library->error_code
        && library->error_name;
}

static bool open_brotli(struct brotli_library *library) {
    void *handle = open_library(LIBRARY("libbrotlidec", "1"));
    if (handle == NULL) return false;
    *(void **)&library->create = dlsym(handle, "BrotliDecoderCreateInstance");
    *(void **)&library->destroy = dlsym(handle, "BrotliDecoderDestroyInstance");
    *(void **)&library->decompress = dlsym(handle, "BrotliDecoderDecompressStream");
    *(void **)&library->error_code = dlsym(handle, "BrotliDecoderGetErrorCode");
    *(void **)&library->error_name = dlsym(handle, "BrotliDecoderErrorString");
    return library->create && library->destroy && library->decompress && library->error_code && library->error_name;
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
    case SERVERTRUST_ZSTD_BODY:
        if (!open_zstd(&made->library.zstd)) break;
        made->stream = made->library.zstd.create();
        is_ready = made->stream != NULL;
        // A library before 1.4.0 can't limit the window, so it isn't used for a body.
        if (is_ready && format == SERVERTRUST_ZSTD_BODY
            && made->library.zstd.is_error(made->library.zstd.set(made->stream, ZSTD_LARGEST_WINDOW, 23))) {
            made->library.zstd.destroy(made->stream);
            is_ready = false;
        }
        break;
    case SERVERTRUST_BROTLI:
        if (!open_brotli(&made->library.brotli)) break;
        made->stream = made->library.brotli.create(NULL, NULL, NULL);
        is_ready = made->stream != NULL;
        break;
    }
    if (!is_ready) {
        free(made);
        return NULL;
    }
    return made;
}

void servertrust_decompressor_destroy(servertrust_decompressor *decompressor) {
    switch (decompressor->format) {
    case SERVERTRUST_ZSTD:
    case SERVERTRUST_ZSTD_BODY:
        decompressor->library.zstd.destroy(decompressor->stream);
        break;
    case SERVERTRUST_BROTLI:
        decompressor->library.brotli.destroy(decompressor->stream);
        break;
    default:
        inflateEnd(&decompressor->deflated);
    }
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
    struct zstd_library *library = &decompressor->library.zstd;
    size_t result = library->decompress(decompressor->stream, &out, &in);
    *taken = in.position;
    *written = out.position;
    if (library->is_error(result)) {
        bool is_window = decompressor->format == SERVERTRUST_ZSTD_BODY && library->error_code(result) == ZSTD_WINDOW_TOO_LARGE;
        decompressor->error = is_window ? "the window exceeds the limit of 8 MiB (RFC 9659)" : library->error_name(result);
        return SERVERTRUST_DECOMPRESSION_FAILED;
    }
    return result == 0 ? SERVERTRUST_DECOMPRESSION_AT_BOUNDARY : SERVERTRUST_DECOMPRESSION_GOES_ON;
}

static enum servertrust_decompression_result unbrotli(
    servertrust_decompressor *decompressor, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    struct brotli_library *library = &decompressor->library.brotli;
    if (decompressor->is_between_members) {
        if (input_size == 0) return SERVERTRUST_DECOMPRESSION_AT_BOUNDARY;
        decompressor->error = "bytes behind the end";
        return SERVERTRUST_DECOMPRESSION_FAILED;
    }
    size_t input_left = input_size, output_left = output_size;
    int result = library->decompress(decompressor->stream, &input_left, &input, &output_left, &output, NULL);
    *taken = input_size - input_left;
    *written = output_size - output_left;
    if (result == BROTLI_FAILED) {
        decompressor->error = library->error_name(library->error_code(decompressor->stream));
        return SERVERTRUST_DECOMPRESSION_FAILED;
    }
    if (result != BROTLI_ENDED) return SERVERTRUST_DECOMPRESSION_GOES_ON;
    decompressor->is_between_members = true;
    return SERVERTRUST_DECOMPRESSION_AT_BOUNDARY;
}

enum servertrust_decompression_result servertrust_decompress(
    servertrust_decompressor *decompressor, const uint8_t *input, size_t input_size, size_t *taken, uint8_t *output, size_t output_size,
    size_t *written) {
    *taken = 0;
    *written = 0;
    switch (decompressor->format) {
    case SERVERTRUST_ZSTD:
    case SERVERTRUST_ZSTD_BODY:
        return unzstd(decompressor, input, input_size, taken, output, output_size, written);
    case SERVERTRUST_BROTLI:
        return unbrotli(decompressor, input, input_size, taken, output, output_size, written);
    default:
        return inflate_some(decompressor, input, input_size, taken, output, output_size, written);
    }
}

const char *servertrust_decompression_error(const servertrust_decompressor *decompressor) { return decompressor->error; }

bool servertrust_decompressor_is_between_blocks(const servertrust_decompressor *decompressor) {
    return (decompressor->deflated.data_type & 128) != 0;
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
