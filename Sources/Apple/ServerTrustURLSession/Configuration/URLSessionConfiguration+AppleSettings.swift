// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust

// Settings of Apple's sessions that Foundation on Linux lacks or that programs can't set there.

extension URLSessionConfiguration {
    /// Whether tasks wait for a network. Always false, even after you set it to true: a task that can't connect
    /// fails at once.
    public var waitsForConnectivity: Bool {
        get { false }
        set { _ = newValue }
    }

    /// Whether tasks may use networks that the system regards as expensive. Always true: Linux doesn't know the cost of a network.
    public var allowsExpensiveNetworkAccess: Bool {
        get { true }
        set { _ = newValue }
    }

    /// Whether tasks may use networks in Low Data Mode. Always true: Linux has no such mode.
    public var allowsConstrainedNetworkAccess: Bool {
        get { true }
        set { _ = newValue }
    }

    @available(
        *, unavailable,
        message: "Remove this line: sessions from withServerTrust(_:) only use TLS 1.2 and 1.3."
    )
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv12 }
        set { _ = newValue }
    }

    @available(
        *, unavailable,
        message: "Remove this line: sessions from withServerTrust(_:) only use TLS 1.2 and 1.3."
    )
    public var tlsMaximumSupportedProtocolVersion: tls_protocol_version_t {
        get { .TLSv13 }
        set { _ = newValue }
    }
}

/// A TLS version, for settings that the compiler rejects.
public enum tls_protocol_version_t: UInt16, Sendable {
    /// TLS 1.0.
    case TLSv10 = 0x0301
    /// TLS 1.1.
    case TLSv11 = 0x0302
    /// TLS 1.2.
    case TLSv12 = 0x0303
    /// TLS 1.3.
    case TLSv13 = 0x0304
}

extension URLError {
    @available(
        *, unavailable,
        message: "Read serverTrustVerdict, which has the certificates and every failure."
    )
    public var failureURLPeerTrust: Never? { nil }
}
#endif
