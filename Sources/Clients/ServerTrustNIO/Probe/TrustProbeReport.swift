// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ServerTrust

/// The result of inspecting a server.
public struct TrustProbeReport: Sendable {
    /// The server's answer to a request.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// The header of that name, as it was sent.
        public let location: String?
    }

    /// The host that was asked for.
    public let host: Hostname
    /// The port that was connected to.
    public let port: Int

    /// The address that was connected to; nil if it isn't known, as behind a proxy.
    public package(set) var address: String?

    /// The certificates that the server sent, leaf first; empty for a host that the rules deny, which isn't contacted.
    public let presentedChain: PresentedChain

    /// The verdict on the chain.
    public package(set) var verdict: TrustVerdict

    /// Whether the handshake came to its end; never for a refused server.
    package var isComplete = false

    /// `TLS 1.2` or `TLS 1.3`, or an older one that is observed; nil if the handshake didn't come to its end.
    public package(set) var tlsVersion: String?

    /// The application protocol that ALPN agreed on; nil for none.
    public package(set) var applicationProtocol: String?

    /// The server's request for a client certificate; nil if there was none, or if the server was refused before it.
    package internal(set) var clientCertificateDemand: ClientCertificateDemand?

    /// The answer to the request, if there was one.
    public internal(set) var response: Response?

    /// The error after a chain was trusted: the handshake didn't end, or the answer didn't come. ``verdict`` is about the chain, so that a
    /// server with an error may not have proven that it has the key of its certificate.
    public package(set) var failure: TrustProbeError?

    /// From the look-up of the name to the answer.
    public package(set) var milliseconds = 0

    package init(_ server: EvaluatedServer, port: Int) {
        self.host = server.host
        self.port = port
        self.presentedChain = server.presentedChain
        self.verdict = server.verdict
    }

    static func name(of version: TLSVersion) -> String {
        switch version {
        case .tlsv1: "TLS 1.0"
        case .tlsv11: "TLS 1.1"
        case .tlsv12: "TLS 1.2"
        case .tlsv13: "TLS 1.3"
        }
    }
}

/// The reason why there is no verdict on a server.
public struct TrustProbeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// DNS has no address for the name.
        case nameNotResolved
        /// No name server gave an answer about the name: none in time, or none that could be asked.
        case nameLookupTimedOut
        /// No connection: refused, or no way there.
        case unreachable
        /// No answer in time.
        case timedOut
        /// The server's part of the handshake can't be used.
        case handshakeFailed
        /// The server speaks HTTP in the clear on this port.
        case plainHTTP
        /// The server speaks a protocol in the clear that goes over to TLS on request, as by `STARTTLS`.
        case startTLSNeeded
        /// The server speaks another protocol than TLS on this port.
        case notTLS
        /// The server has TLS 1.1 and older alone.
        case oldTLSOnly
        /// The server has nothing under the name that was sent.
        case nameRefused
        /// The server ended the handshake with an alert that has no code of its own here.
        case handshakeAlert
        /// The server ended the connection.
        case closed
        /// The server requires a client certificate, and got none that it accepts.
        case clientCertificateRequired
        /// The proxy can't be reached or didn't open a tunnel.
        case proxyFailed
        /// The server doesn't offer TLS in the protocol that was spoken before it, or declines it.
        case startTLSDeclined
        /// The server speaks another protocol than the one before TLS, or sends more in the clear than it may.
        case startTLSFailed
    }

    /// The kind of error.
    public let reason: Reason
    /// For people; wording may change.
    package let detail: String
    /// The protocol that goes over to TLS on request, by its name in options such as `--starttls`; nil for other errors.
    package let startTLS: String?

    init(_ reason: Reason, _ detail: String, startTLS: String? = nil) {
        self.reason = reason
        self.detail = detail
        self.startTLS = startTLS
    }

    private init(_ fault: HandshakeFault) {
        switch fault.kind {
        case .plainHTTP: self.init(.plainHTTP, fault.text)
        case .startTLSNeeded(let name): self.init(.startTLSNeeded, fault.text, startTLS: name)
        case .notTLS: self.init(.notTLS, fault.text)
        case .oldTLSOnly: self.init(.oldTLSOnly, fault.text)
        case .clientCertificateRequired: self.init(.clientCertificateRequired, fault.text)
        case .nameRefused: self.init(.nameRefused, fault.text)
        case .handshakeAlert: self.init(.handshakeAlert, fault.text)
        case .unusable: self.init(.handshakeFailed, fault.text)
        }
    }

    static let endedByServer = TrustProbeError(.closed, "the server ended the connection")

    /// The error for one of NIO's or NIOSSL's, by its meaning.
    package init(_ error: any Error) {
        switch error {
        case let error as NameLookupError:
            self.init(error.reason == .nameNotResolved ? .nameNotResolved : .nameLookupTimedOut, error.description)
        case let error as NIOConnectionError:
            let timedOut = error.connectionErrors.contains { Self.isTimeout($0.error) }
            self.init(timedOut ? .timedOut : .unreachable, ConnectionFailure.text(error))
        case let error as ChannelError where Self.isTimeout(error):
            self.init(.timedOut, "no answer within the time allowed")
        case let error as IOError: self.init(.unreachable, ConnectionFailure.text(error))
        case let error as ServerConnectionError:
            if let fault = error.fault {
                self.init(fault)
                return
            }
            switch error.reason {
            case .nameLookupTimedOut, .nameServerFailed: self.init(.nameLookupTimedOut, "\(error)")
            case .handshakeTimedOut where !error.detail.isEmpty: self.init(.timedOut, error.detail)
            case .handshakeTimedOut, .evaluationTimedOut:
                self.init(.timedOut, "no end of the handshake within the time allowed")
            case .closedDuringHandshake where !error.detail.isEmpty: self.init(.closed, error.detail)
            case .closedDuringHandshake: self = .endedByServer
            case .proxyFailed: self.init(.proxyFailed, "the proxy \(error.detail)")
            case .handshakeFailed where error.refusal == .declined: self.init(.startTLSDeclined, error.detail)
            case .handshakeFailed where error.refusal != nil: self.init(.startTLSFailed, error.detail)
            case .handshakeFailed, .notEvaluated, .sentTooEarly:
                let detail = error.detail.isEmpty ? "" : ": \(error.detail)"
                self.init(.handshakeFailed, "no TLS connection came about\(detail)")
            }
        case is CancellationError: self.init(.closed, "the probe was cancelled")
        default:
            let fault = HandshakeFault(ServerRecords(), error)
            self.init(.handshakeFailed, fault?.text ?? "the connection failed: \(type(of: error))")
        }
    }

    private static func isTimeout(_ error: any Error) -> Bool {
        if case .connectTimeout = error as? ChannelError { true } else { false }
    }

    public var description: String { detail }
}

extension TrustProbeReport {
    /// Returns all valid paths of the presented chain at the verdict's date. Revocation, pins and exceptions are not checked.
    /// - Parameter configuration: the configuration of the ``TrustProbe`` that made the report.
    package func validPaths(with configuration: ServerTrustConfiguration) -> [ValidatedPath] {
        var trust = configuration.trust(presentedChain: presentedChain, host: host)
        trust.verifyDate = .at(verdict.evaluationDate)
        return trust.validPaths()
    }
}
