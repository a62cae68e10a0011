// SPDX-License-Identifier: Apache-2.0

#include "CNIOSSLSymbols.h"

#if defined(__APPLE__)
#define OPTIONAL __attribute__((weak_import))
#else
#define OPTIONAL __attribute__((weak))
#endif

extern void *CNIOBoringSSL_SSL_get_SSL_CTX(const void *) OPTIONAL;
extern int CNIOBoringSSL_SSL_is_server(const void *) OPTIONAL;
extern void CNIOBoringSSL_SSL_enable_ocsp_stapling(void *) OPTIONAL;
extern void CNIOBoringSSL_SSL_enable_signed_cert_timestamps(void *) OPTIONAL;
extern void CNIOBoringSSL_SSL_get0_ocsp_response(const void *, const uint8_t **, size_t *) OPTIONAL;
extern void CNIOBoringSSL_SSL_get0_signed_cert_timestamp_list(const void *, const uint8_t **, size_t *) OPTIONAL;
extern const void *CNIOBoringSSL_SSL_get0_peer_certificates(const void *) OPTIONAL;
extern const void *CNIOBoringSSL_SSL_get0_server_requested_CAs(const void *) OPTIONAL;
extern const char *CNIOBoringSSL_SSL_get_servername(const void *, int) OPTIONAL;
extern size_t CNIOBoringSSL_OPENSSL_sk_num(const void *) OPTIONAL;
extern void *CNIOBoringSSL_OPENSSL_sk_value(const void *, size_t) OPTIONAL;
extern const uint8_t *CNIOBoringSSL_CRYPTO_BUFFER_data(const void *) OPTIONAL;
extern size_t CNIOBoringSSL_CRYPTO_BUFFER_len(const void *) OPTIONAL;

servertrust_niossl_symbols servertrust_niossl_load_symbols(void) {
    servertrust_niossl_symbols symbols = {
        CNIOBoringSSL_SSL_get_SSL_CTX,
        CNIOBoringSSL_SSL_is_server,
        CNIOBoringSSL_SSL_enable_ocsp_stapling,
        CNIOBoringSSL_SSL_enable_signed_cert_timestamps,
        CNIOBoringSSL_SSL_get0_ocsp_response,
        CNIOBoringSSL_SSL_get0_signed_cert_timestamp_list,
        CNIOBoringSSL_SSL_get0_peer_certificates,
        CNIOBoringSSL_SSL_get0_server_requested_CAs,
        CNIOBoringSSL_SSL_get_servername,
        CNIOBoringSSL_OPENSSL_sk_num,
        CNIOBoringSSL_OPENSSL_sk_value,
        CNIOBoringSSL_CRYPTO_BUFFER_data,
        CNIOBoringSSL_CRYPTO_BUFFER_len,
    };
    return symbols;
}
