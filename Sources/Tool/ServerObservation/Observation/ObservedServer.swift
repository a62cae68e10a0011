// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustNIO

/// The report on a server, together with its observed handshake.
package struct ObservedServer: Sendable {
    package var report: TrustProbeReport
    /// The observed handshake. Nil if there was no observation, or if the observation failed but TLS succeeded.
    package private(set) var handshake: HandshakeObservation?

    /// Creates the report on a server whose handshake wasn't observed.
    init(_ report: TrustProbeReport) { self.report = report }

    /// Creates the report on a server whose handshake was observed.
    init(_ server: EvaluatedServer, port: Int, _ handshake: HandshakeObservation) {
        report = TrustProbeReport(server, port: port)
        report.isComplete = true
        report.tlsVersion = handshake.version?.description
        report.applicationProtocol = handshake.applicationProtocol
        self.handshake = handshake
    }

    /// Whether the observation is sufficient without TLS. This is the case if the server is rejected for the handshake
    /// itself. Otherwise the server must have signed with its leaf's key, over parameters that TLS would have agreed
    /// on. In addition, no question may remain that only TLS can answer.
    var isConclusive: Bool {
        guard let seen = handshake, let version = seen.version else { return false }
        if version < .tls12 || seen.signature == .invalid { return true }
        guard seen.signature == .valid, seen.isUsual else { return false }
        guard report.verdict.isTrusted else { return true }
        // Only TLS shows whether the server accepts a client without a certificate.
        return seen.clientCertificateRequest == nil
    }

    /// Adds the facts of an observation if the server presented the same leaf over the same TLS version.
    mutating func take(_ observed: ObservedServer?) {
        guard let observed, observed.report.presentedChain.leaf == report.presentedChain.leaf else { return }
        guard report.tlsVersion == nil || report.tlsVersion == observed.report.tlsVersion else { return }
        handshake = observed.handshake
        // TLS failed after the certificate.
        report.tlsVersion = observed.report.tlsVersion
        guard !report.isComplete, let seen = handshake else { return }
        report.verdict = report.verdict.held(toKeyUsageOf: report.presentedChain.leaf, in: seen)
        if !report.verdict.isTrusted { report.failure = nil }
    }

    /// Rejects a server whose chain passes, but whose handshake ended before it proved possession of its key. The
    /// report keeps the handshake's error, too.
    mutating func requireProof() {
        guard report.verdict.isTrusted, !report.isComplete, handshake?.signature != .valid else { return }
        refuseWithoutProof()
    }

    private mutating func refuseWithoutProof() {
        report.verdict = report.verdict.refused(
            for: TrustFailure(
                .handshakeUnproven, certificate: 0, role: .leaf,
                found: .text(handshake?.cipherSuite?.description ?? "none")))
    }

    /// Returns the report on a server for which TLS fails after the observation. Without proof that it has the key, the
    /// server is rejected.
    func unproven(_ error: ConnectionFailure) -> ObservedServer {
        var server = self
        // A leaf that can't be parsed has no key to prove, and is already rejected.
        guard report.presentedChain.leaf != nil else { return server }
        guard handshake?.signature != .valid else {
            if report.verdict.isTrusted { server.report.failure = error }
            return server
        }
        // A connection that ended says nothing about the server. In other cases, the verdict on the certificates
        // remains.
        if report.verdict.isTrusted, error.isOfConnection { server.report.failure = error }
        server.refuseWithoutProof()
        return server
    }
}

extension ConnectionFailure {
    /// Whether the connection failed, rather than the handshake.
    fileprivate var isOfConnection: Bool {
        switch code {
        case .connectionClosed, .connectionTimedOut, .connectionEvaluationTimedOut,
            .connectionUnreachable, .connectionNameNotResolved, .connectionNameLookupTimedOut,
            .connectionNameServerFailed:
            true
        default: isOfProxy
        }
    }
}

extension HandshakeObservation {
    /// Whether the server chose only parameters that NIOSSL's clients offer.
    fileprivate var isUsual: Bool {
        let suites = CipherSuite.forTLS13 + CipherSuite.usual
        guard let cipherSuite, suites.contains(cipherSuite), let group, let signatureScheme else { return false }
        return ProbeOffer.usualSchemes.contains(signatureScheme) && [.x25519, .p256, .p384].contains(group)
    }
}
