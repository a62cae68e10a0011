// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import PKIX

/// A connection without a verdict, or one that ended before it could be used. For a refused server, the error is
/// `TrustRefusal` instead.
///
/// ```swift
/// do {
///     try await handshake.get()
/// } catch let error as ConnectionFailure where error.code == .connectionPlainHTTP {
///     …
/// }
/// ```
public struct ConnectionFailure: TrustError, Hashable {
    /// The kind of failure, such as `ErrorCode.connectionClosed`.
    public let code: ErrorCode
    /// The host of the server. Nil for a lookup of a name that isn't a host name.
    public package(set) var host: Hostname?
    /// The port of the server, or nil if it isn't known.
    public package(set) var port: Int?
    /// The IP address of the server. Nil before a connection, for several addresses, and behind a proxy.
    public package(set) var address: String?
    /// The attempts to connect to the server's addresses. Empty before a connection, and behind a proxy.
    package var attempts: [AddressAttempt] = []
    /// The protocol that the server speaks before TLS, such as `smtp`. Nil unless the code is
    /// `ErrorCode.connectionStartTLSNeeded`.
    public let startTLS: String?
    /// The number of the alert that the server ended the handshake with (RFC 8446 § 6). Nil without an alert.
    public let alert: UInt8?

    /// The values of `Proxy-Authenticate` of a proxy that requires credentials (407). Nil for other failures.
    package internal(set) var proxyChallenges: [String]?

    /// The message without the host.
    package let detail: String

    package init(
        _ code: ErrorCode, host: Hostname?, port: Int? = nil, startTLS: String? = nil, alert: UInt8? = nil,
        exactly detail: String
    ) {
        self.code = code
        self.host = host
        self.port = port
        self.startTLS = startTLS
        self.alert = alert
        self.detail = detail
    }

    /// Creates a failure with the usual message for its code.
    /// - Parameter detail: additional text. Empty for none.
    package init(_ code: ErrorCode, host: Hostname?, port: Int? = nil, detail: String = "") {
        let usual = Self.words[code] ?? "no TLS connection was established"
        let isWhole = code != .connectionHandshakeFailed && !detail.isEmpty
        self.init(
            code, host: host, port: port,
            exactly: isWhole ? detail : detail.isEmpty ? usual : "\(usual): \(detail)")
    }

    /// Creates the failure of a lookup.
    package init(_ code: ErrorCode, name: String, detail: String = "") {
        let text =
            switch code {
            case .connectionNameServerFailed: "no name server answered for \(name)"
            case .connectionNameLookupTimedOut: "no name server answered for \(name) within the time allowed"
            default: "no address was found for \(name)"
            }
        self.init(code, host: try? Hostname(name), exactly: detail.isEmpty ? text : "\(text) (\(detail))")
    }

    public var message: String {
        guard let host, !isOfNameLookup else { return detail }
        return "\(host): \(detail)"
    }

    /// Whether a lookup found no address for a name. The message contains the name.
    package var isOfNameLookup: Bool {
        code == .connectionNameNotResolved || code == .connectionNameLookupTimedOut
            || code == .connectionNameServerFailed
    }

    /// Whether the proxy failed instead of the server.
    package var isOfProxy: Bool {
        code == .connectionProxyFailed || code == .connectionProxyAuthorizationRequired
            || code == .connectionProxyTimedOut
    }

    private static let words: [ErrorCode: String] = [
        .connectionTimedOut: "the handshake didn't finish within the time allowed",
        .connectionEvaluationTimedOut: "the handshake didn't finish within the time allowed",
        .connectionClosed: "the server ended the connection",
        .connectionNotEvaluated: "TLS was established without a verdict, so the connection was closed",
        .connectionSentTooEarly: "data was written before there was a good verdict, so the connection was closed",
    ]
}

#endif
