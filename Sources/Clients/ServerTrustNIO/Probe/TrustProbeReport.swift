// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import Foundation
import NIOSSL
import ServerTrust

/// The result of inspecting a server.
public struct TrustProbeReport: Sendable {
    /// The server's response to a request.
    public struct Response: Sendable, Hashable {
        /// The status code.
        public let status: Int
        /// The `Location` header field, as the server sent it.
        public let location: String?
    }

    /// The requested host.
    public let host: Hostname
    /// The port of the server.
    public let port: Int

    /// The address of the server. Nil if it isn't known, for example behind a proxy.
    public package(set) var address: String?

    /// The attempts to connect to the server's addresses, in the order in which they began. Empty behind a proxy.
    package var attempts: [AddressAttempt] = []

    /// The certificates that the server sent, leaf first. Empty for a host that the rules deny, which the probe doesn't
    /// contact.
    public let presentedChain: PresentedChain

    /// The verdict on the chain.
    public package(set) var verdict: TrustVerdict

    /// Whether the handshake completed. Always false for a refused server.
    package var isComplete = false

    /// `TLS 1.2`, `TLS 1.3`, or an older observed version. Nil if the handshake didn't complete.
    public package(set) var tlsVersion: String?

    /// The application protocol selected with ALPN, or nil for none.
    public package(set) var applicationProtocol: String?

    /// The server's request for a client certificate. Nil without such a request, and if the server was refused before
    /// it.
    package internal(set) var clientCertificateDemand: ClientCertificateDemand?

    /// The response to the request, if there was one.
    public internal(set) var response: Response?

    /// The error after a chain was trusted: the handshake didn't complete, or there was no response.
    ///
    /// ``verdict`` is about the chain. If there is an error, the server may not have proven that it has its
    /// certificate's key.
    public package(set) var failure: ConnectionFailure?

    /// The time from the lookup of the name to the result.
    public package(set) var duration = Duration.zero

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

extension TrustProbeReport {
    /// Returns all valid paths of the presented chain at the verdict's date. It doesn't check revocation, pins or
    /// exceptions.
    /// - Parameter configuration: the configuration of the ``TrustProbe`` that made the report.
    package func validPaths(with configuration: ServerTrustConfiguration) -> [ValidatedPath] {
        var trust = configuration.trust(presentedChain: presentedChain, host: host)
        trust.verifyDate = .at(verdict.evaluationDate)
        return trust.validPaths()
    }
}

#endif
