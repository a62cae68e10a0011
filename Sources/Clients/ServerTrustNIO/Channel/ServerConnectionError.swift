// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX

/// The reason why a connection didn't come to a verdict, or ended before it could be used. A refused server is a `TrustRefusal`, not this.
public struct ServerConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        /// No name server gave an answer about the host in time. It wasn't contacted.
        case nameLookupTimedOut
        /// No name server could be asked about the host, or none knew an answer. It wasn't contacted.
        case nameServerFailed
        /// TLS wasn't up in time.
        case handshakeTimedOut
        /// The server showed its certificates, and there was no verdict on them in time.
        case evaluationTimedOut
        /// The handshake failed before there was a verdict, or after a good one: no TLS, no common version or cipher suite, a
        /// client certificate that was refused.
        case handshakeFailed
        /// The server, or a machine on the way, ended the connection during the handshake.
        case closedDuringHandshake
        /// TLS was up without a verdict, which must not happen. The connection was closed.
        case notEvaluated
        /// Something was about to be sent before there was a good verdict. It was kept back and the connection closed.
        case sentTooEarly
        /// The proxy can't be reached or didn't open a tunnel.
        case proxyFailed
    }

    /// The kinds of failures of a proxy, as far as a caller acts on them in different ways.
    package enum ProxyFailure: Sendable, Hashable {
        /// The proxy requires credentials, or other ones.
        case authorizationRequired
        /// The proxy can't be reached in time, or doesn't answer in time.
        case timedOut
        /// The proxy can't be reached, refuses, ends the connection or doesn't speak its protocol.
        case other
    }

    /// The kind of error.
    public let reason: Reason
    /// The host that was asked for.
    public let host: Hostname
    /// For people; wording may change.
    package let detail: String
    /// The kind of refusal of an exchange in the clear that came before; nil for another error.
    package let refusal: PrologueRefusal.Kind?
    /// The reason why the handshake failed; nil for another error, and if the connection has just ended.
    package let fault: HandshakeFault?
    /// The kind of the proxy's failure; nil for another error.
    package let proxyFailure: ProxyFailure?

    package init(
        _ reason: Reason, host: Hostname, detail: String = "", refusal: PrologueRefusal.Kind? = nil,
        fault: HandshakeFault? = nil, proxyFailure: ProxyFailure? = nil
    ) {
        self.reason = reason
        self.host = host
        self.detail = detail
        self.refusal = refusal
        self.fault = fault
        self.proxyFailure = proxyFailure
    }

    public var description: String { "\(host): \(reason.rawValue)\(detail.isEmpty ? "" : " (\(detail))")" }
}
