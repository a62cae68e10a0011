// SPDX-License-Identifier: Apache-2.0

#ifndef CNIOSSL_SYMBOLS_H
#define CNIOSSL_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

// The functions of the BoringSSL inside NIOSSL that NIOSSLInternals.swift calls, with the types of its headers and without NIOSSL's
// prefix. A function that the linked NIOSSL lacks is NULL.
typedef struct {
    void *_Nullable (*_Nullable SSL_get_SSL_CTX)(const void *_Nonnull ssl);
    int (*_Nullable SSL_is_server)(const void *_Nonnull ssl);
    void (*_Nullable SSL_enable_ocsp_stapling)(void *_Nonnull ssl);
    void (*_Nullable SSL_enable_signed_cert_timestamps)(void *_Nonnull ssl);
    void (*_Nullable SSL_get0_ocsp_response)(
        const void *_Nonnull ssl, const uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_len);
    void (*_Nullable SSL_get0_signed_cert_timestamp_list)(
        const void *_Nonnull ssl, const uint8_t *_Nullable *_Nonnull out, size_t *_Nonnull out_len);
    const void *_Nullable (*_Nullable SSL_get0_peer_certificates)(const void *_Nonnull ssl);
    const void *_Nullable (*_Nullable SSL_get0_server_requested_CAs)(const void *_Nonnull ssl);
    const char *_Nullable (*_Nullable SSL_get_servername)(const void *_Nonnull ssl, int type);
    size_t (*_Nullable OPENSSL_sk_num)(const void *_Nonnull stack);
    void *_Nullable (*_Nullable OPENSSL_sk_value)(const void *_Nonnull stack, size_t index);
    const uint8_t *_Nullable (*_Nullable CRYPTO_BUFFER_data)(const void *_Nonnull buffer);
    size_t (*_Nullable CRYPTO_BUFFER_len)(const void *_Nonnull buffer);
} servertrust_niossl_symbols;

servertrust_niossl_symbols servertrust_niossl_load_symbols(void);

#endif
