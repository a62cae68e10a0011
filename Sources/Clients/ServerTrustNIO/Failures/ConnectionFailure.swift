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

/// The codes of ``ConnectionFailure``.
extension ErrorCode {
    // MARK: - Before a connection

    /// The name has no address.
    public static let connectionNameNotResolved = ErrorCode("connectionNameNotResolved")
    /// No name server answered for the name in time.
    package static let connectionNameLookupTimedOut = ErrorCode("connectionNameLookupTimedOut")
    /// The client couldn't reach the name servers, or none of them had an answer for the name.
    package static let connectionNameServerFailed = ErrorCode("connectionNameServerFailed")
    /// The server refuses the connection, or there is no route to it.
    public static let connectionUnreachable = ErrorCode("connectionUnreachable")
    /// The server doesn't answer in time, or TLS isn't established in time.
    public static let connectionTimedOut = ErrorCode("connectionTimedOut")
    /// The proxy can't be reached, or doesn't open a tunnel.
    public static let connectionProxyFailed = ErrorCode("connectionProxyFailed")
    /// The proxy requires credentials, or different ones than the client sent.
    public static let connectionProxyAuthorizationRequired = ErrorCode("connectionProxyAuthorizationRequired")
    /// The client can't reach the proxy in time, or the proxy doesn't answer in time.
    package static let connectionProxyTimedOut = ErrorCode("connectionProxyTimedOut")
    /// The server doesn't offer TLS in the protocol that begins in the clear, or declines TLS.
    public static let connectionStartTLSDeclined = ErrorCode("connectionStartTLSDeclined")
    /// The server speaks a different protocol before TLS, or sends more in the clear than it may.
    public static let connectionStartTLSFailed = ErrorCode("connectionStartTLSFailed")

    // MARK: - During the handshake

    /// The server presented certificates, but there was no verdict on them in time.
    public static let connectionEvaluationTimedOut = ErrorCode("connectionEvaluationTimedOut")
    /// The client can't use the server's handshake messages.
    public static let connectionHandshakeFailed = ErrorCode("connectionHandshakeFailed")
    /// The server ends the handshake with an alert that has no separate code here.
    package static let connectionHandshakeAlert = ErrorCode("connectionHandshakeAlert")
    /// The server, or a machine along the way, ended the connection.
    public static let connectionClosed = ErrorCode("connectionClosed")
    /// The server speaks HTTP without TLS on this port.
    package static let connectionPlainHTTP = ErrorCode("connectionPlainHTTP")
    /// The server speaks a protocol that begins in the clear and switches to TLS on request, as with `STARTTLS`.
    package static let connectionStartTLSNeeded = ErrorCode("connectionStartTLSNeeded")
    /// The server speaks a protocol other than TLS on this port.
    public static let connectionNotTLS = ErrorCode("connectionNotTLS")
    /// The server supports only TLS 1.1 and older.
    package static let connectionOldTLSOnly = ErrorCode("connectionOldTLSOnly")
    /// The server doesn't recognize the name that the client sent.
    package static let connectionNameRefused = ErrorCode("connectionNameRefused")
    /// The server requires a client certificate, but received none that it accepts.
    public static let connectionClientCertificateRequired = ErrorCode("connectionClientCertificateRequired")

    // MARK: - Guards

    /// TLS was established without a verdict, which must not happen. The connection was closed.
    package static let connectionNotEvaluated = ErrorCode("connectionNotEvaluated")
    /// A handler wrote data before there was a good verdict. The data wasn't sent, and the connection was closed.
    package static let connectionSentTooEarly = ErrorCode("connectionSentTooEarly")
}

/// An attempt to connect to one of a peer's addresses.
package struct AddressAttempt: Sendable, Hashable {
    /// The result of an attempt.
    package enum Outcome: Sendable, Hashable {
        /// TCP is established.
        case connected
        /// The system reports an error. The text is for people.
        case failed(String)
        /// The time was over first.
        case unanswered
        /// The connection to another address was established first, so the attempt was ended.
        case overtaken
    }

    /// The address and port: `192.0.2.1:443`, `[2001:db8::1]:443`.
    package let address: String
    package let outcome: Outcome
}

extension AddressAttempt: CustomStringConvertible {
    package var description: String { "\(address): \(result)" }

    /// The result in words.
    package var result: String {
        switch outcome {
        case .connected: "connected"
        case .failed(let text): text
        case .unanswered: "no answer within the time allowed"
        case .overtaken: "no answer before another address connected"
        }
    }
}

#endif
