// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
// TLS of CoreFoundation's streams. If a program uses one of these names, the compiler prints the message.

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamPropertySSLPeerTrust: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamPropertySSLSettings: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamPropertySSLContext: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamPropertySocketSecurityLevel: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSocketSecurityLevelNegotiatedSSL: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSSLPeerName: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSSLValidatesCertificateChain: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSSLCertificates: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSSLLevel: CFString { "" }

@available(
    *, unavailable,
    message:
        "Streams on Linux have no TLS. Use URLSession from ServerTrustURLSession, or NIOSSLClientHandler from ServerTrustNIO."
)
public var kCFStreamSSLIsServer: CFString { "" }
#endif
