// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ForeignMessages {
    /// The TLS alerts about certificates, as libraries print them (RFC 8446 § 6.2).
    static let alerts: [ForeignMessage] = [
        alert(
            42, "bad_certificate", openSSL: "bad certificate", boringSSL: "SSLV3_ALERT_BAD_CERTIFICATE",
            go: "bad certificate", rustls: "BadCertificate", apple: ("errSSLPeerBadCert", -9825),
            nss: "SSL_ERROR_BAD_CERT_ALERT", .unknownIssuer, .untrustedRoot, .hostMismatch, .certificateMalformed),
        alert(
            43, "unsupported_certificate", openSSL: "unsupported certificate",
            boringSSL: "SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", go: "unsupported certificate",
            rustls: "UnsupportedCertificate", apple: ("errSSLPeerUnsupportedCert", -9826),
            nss: "SSL_ERROR_UNSUPPORTED_CERT_ALERT", .extendedKeyUsageNotAllowed, .keyUsageNotForTLS,
            .keyAlgorithmUnsupported),
        alert(
            44, "certificate_revoked", openSSL: "certificate revoked", boringSSL: "SSLV3_ALERT_CERTIFICATE_REVOKED",
            go: "revoked certificate", rustls: "CertificateRevoked", apple: ("errSSLPeerCertRevoked", -9827),
            nss: "SSL_ERROR_REVOKED_CERT_ALERT", .certificateRevoked),
        alert(
            45, "certificate_expired", openSSL: "certificate expired", boringSSL: "SSLV3_ALERT_CERTIFICATE_EXPIRED",
            go: "expired certificate", rustls: "CertificateExpired", apple: ("errSSLPeerCertExpired", -9828),
            nss: "SSL_ERROR_EXPIRED_CERT_ALERT", .certificateExpired, .certificateNotYetValid),
        alert(
            46, "certificate_unknown", openSSL: "certificate unknown", boringSSL: "SSLV3_ALERT_CERTIFICATE_UNKNOWN",
            go: "unknown certificate", rustls: "CertificateUnknown", apple: ("errSSLPeerCertUnknown", -9829),
            nss: "SSL_ERROR_CERTIFICATE_UNKNOWN_ALERT", .unknownIssuer, .untrustedRoot, .hostMismatch,
            .certificateExpired),
        alert(
            48, "unknown_ca", openSSL: "unknown ca", boringSSL: "TLSV1_ALERT_UNKNOWN_CA",
            go: "unknown certificate authority", rustls: "UnknownCA", apple: ("errSSLPeerUnknownCA", -9831),
            nss: "SSL_ERROR_UNKNOWN_CA_ALERT", .unknownIssuer, .untrustedRoot, .selfSignedLeaf),
        alert(
            51, "decrypt_error", openSSL: "decrypt error", boringSSL: "TLSV1_ALERT_DECRYPT_ERROR",
            go: "error decrypting message", rustls: "DecryptError", .handshakeSignatureInvalid, .signatureInvalid),
        alert(
            116, "certificate_required", openSSL: "certificate required",
            boringSSL: "TLSV1_ALERT_CERTIFICATE_REQUIRED", go: "certificate required", rustls: "CertificateRequired",
            .presentedChainEmpty),
    ]

    private static func alert(
        _ number: Int, _ name: String, openSSL: String, boringSSL: String, go: String, rustls: String,
        apple: (name: String, number: Int)? = nil, nss: String? = nil, _ codes: TrustFailure.Code...
    ) -> ForeignMessage {
        let forms = [
            "alert \(openSSL)", name, boringSSL, "tls: \(go)", "received fatal alert: \(rustls)",
            // Erlang: "TLS client: In state … generated CLIENT ALERT: Fatal - Unknown CA". FreeRADIUS: "TLS Alert write:fatal:unknown CA".
            "Fatal - \(openSSL)", "Fatal error: \(openSSL)", "description: \(openSSL)", "SSL alert number \(number)",
        ]
        let constants = [apple?.name, apple.map { "\($0.number)" }, nss].compactMap { $0 }
        return ForeignMessage(
            "TLS alert", forms + constants, codes,
            source: "RFC 8446 § 6.2, strings of OpenSSL, BoringSSL, Go, rustls, Erlang/OTP, NSS, Network.framework",
            note:
                "The side that sends the alert refuses the other side's certificate. If a server received it, a client doesn't trust the server. If a client received it, the server refuses the client certificate."
        )
    }
}
