// SPDX-License-Identifier: Apache-2.0
// A fuzz target over the package's C code, which Scripts/sanitize builds with AddressSanitizer and UndefinedBehaviorSanitizer. The first
// byte of an input selects a format, and the second one the sizes of the buffers. Each buffer is as small as its size says, so that
// AddressSanitizer notices a byte read or written after its end.
#include <stdlib.h>
#include <string.h>

#include "CDecompression.h"
#include "CNIOSSLSymbols.h"

static void decompress(enum servertrust_compression format, size_t input_size, size_t output_size, const uint8_t *bytes, size_t count) {
    servertrust_decompressor *decompressor = servertrust_decompressor_create(format);
    if (decompressor == NULL) return;
    size_t total = 0;
    for (int idle = 0, round = 0; idle < 2 && round < 500 && total < 1 << 18; round++) {
        size_t portion = count < input_size ? count : input_size, taken = 0, written = 0;
        // One byte more, because malloc(0) may return NULL.
        uint8_t *input = malloc(portion + (portion == 0)), *output = malloc(output_size);
        if (portion > 0) memcpy(input, bytes, portion);
        int result = servertrust_decompress(decompressor, input, portion, &taken, output, output_size, &written);
        if (taken > portion || written > output_size) abort();
        free(input);
        free(output);
        if (result == SERVERTRUST_DECOMPRESSION_FAILED) {
            if (strlen(servertrust_decompression_error(decompressor)) == 0) abort();
            break;
        }
        bytes += taken;
        count -= taken;
        total += written;
        // Without progress, the stream needs more input.
        idle = taken + written == 0 ? idle + 1 : 0;
    }
    servertrust_decompressor_destroy(decompressor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    // This program doesn't link NIOSSL, so all functions are missing.
    if (servertrust_niossl_load_symbols().SSL_is_server != NULL) abort();
    if (count < 2) return -1;
    static const size_t sizes[] = {1, 2, 7, 64, 300, 1000, 4096, 65536};
    decompress(SERVERTRUST_GZIP + bytes[0] % 6, sizes[bytes[1] % 8], sizes[bytes[1] / 8 % 8], bytes + 2, count - 2);
    return 0;
}
