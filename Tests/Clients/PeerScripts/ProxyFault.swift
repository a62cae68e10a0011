// SPDX-License-Identifier: Apache-2.0

/// Ways in which a proxy fails a client before its tunnel is open.
package enum ProxyFault: String, Sendable, CaseIterable {
    case refusesHTTPConnections, requiresAuthorization, hasNoWay, endsHTTPAtOnce, endsInHTTPAnswer
    case refusesSOCKSConnections, requiresPassword, refusesTarget, endsSOCKSAtOnce, endsInSOCKSAnswer

    /// Whether the client uses the proxy as a SOCKS 5 proxy. If not, the client uses it as an HTTP proxy.
    package var isSOCKS: Bool {
        switch self {
        case .refusesSOCKSConnections, .requiresPassword, .refusesTarget, .endsSOCKSAtOnce, .endsInSOCKSAnswer: true
        default: false
        }
    }

    /// Whether other credentials would help.
    package var isAboutAuthorization: Bool { self == .requiresAuthorization || self == .requiresPassword }

    /// Whether nothing listens on the proxy's port.
    package var refusesConnections: Bool { self == .refusesHTTPConnections || self == .refusesSOCKSConnections }

    /// Whether the proxy closes a connection without reading from it.
    package var endsAtOnce: Bool { self == .endsHTTPAtOnce || self == .endsSOCKSAtOnce }

    /// The response to a SOCKS greeting, after which the proxy closes the connection, or nil to continue.
    package var greeting: [UInt8]? { self == .requiresPassword ? [5, 0xff] : nil }

    /// The response to a request for a tunnel, after which the proxy closes the connection, or nil to open the tunnel.
    package var answer: [UInt8]? {
        switch self {
        case .requiresAuthorization:
            Array("HTTP/1.1 407 Auth\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n".utf8)
        case .hasNoWay: Array("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 5\r\n\r\nsorry".utf8)
        case .endsInHTTPAnswer: Array("HTTP/1.1 200 O".utf8)
        case .refusesTarget: [5, 5, 0, 1, 0, 0, 0, 0, 0, 0]
        case .endsInSOCKSAnswer: [5, 0, 0]
        default: nil
        }
    }
}
