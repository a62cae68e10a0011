// SPDX-License-Identifier: Apache-2.0

import HandshakeProbe
import NIOCore
import NIOSSL
import PKIX
import ServerTrust

// A probe that observes sees version, suite, group, staple and timestamps of any server, refused ones too, by one connection of
// HandshakeProbe. That isn't a TLS client, so two rules bind its result:
//
// * Trusted is a server that signed this handshake by the key of its leaf. Without that signature TLS is asked, by a second connection.
// * No server is reported as failing because of it: where it fails, or agrees on something that TLS wouldn't, or a certificate of the
//   client is requested, TLS is asked, and its result is the result.
//
// A handshake of TLS that ends before the key is proven leaves no trusted verdict, whatever the chain.

extension TrustProbe {
    /// Observes a server, and asks TLS where that is no proof.
    func observe(
        _ host: Hostname, port: Int, connectingTo address: String?
    ) async throws(TrustProbeError) -> TrustProbeReport {
        let start = NIODeadline.now()
        var observed: TrustProbeReport?
        do throws(TrustProbeError) {
            let report = try await attempt(
                host, port: port, connectingTo: address, requesting: nil, offering: offer(for: host))
            if report.isConclusive { return report }
            observed = report
        } catch {
            // Nothing else than a handshake could go better the second time.
            guard error.reason == .handshakeFailed || error.reason == .closed else { throw error }
        }
        var probe = self
        probe.timeout = max(timeout - .nanoseconds((NIODeadline.now() - start).nanoseconds), timeout / 4)
        do throws(TrustProbeError) {
            var report = try await probe.attempt(
                host, port: port, connectingTo: address, requesting: nil, offering: nil)
            report.take(observed)
            report.requireProof()
            report.milliseconds = Int((NIODeadline.now() - start).nanoseconds / 1_000_000)
            return report
        } catch {
            guard let observed else { throw error }
            return observed.unproven(error)
        }
    }

    /// Asks TLS, and sends a request to a trusted server. Where TLS ends before the proof of the key, the server is observed for that proof.
    func request(
        _ path: String, of host: Hostname, port: Int, connectingTo address: String?
    ) async throws(TrustProbeError) -> TrustProbeReport {
        let start = NIODeadline.now()
        var report = try await attempt(host, port: port, connectingTo: address, requesting: path, offering: nil)
        guard observesFirst, report.verdict.isTrusted, !report.isComplete else { return report }
        var probe = self
        probe.timeout = max(timeout - .nanoseconds((NIODeadline.now() - start).nanoseconds), timeout / 4)
        do throws(TrustProbeError) {
            report.take(
                try await probe.attempt(
                    host, port: port, connectingTo: address, requesting: nil, offering: offer(for: host)))
        } catch {
            // The first error says more.
        }
        report.requireProof()
        return report
    }

    private func offer(for host: Hostname) -> ProbeOffer {
        ProbeOffer(
            serverName: (serverName ?? host).serverName, applicationProtocols: applicationProtocols,
            minimumVersion: minimumVersion)
    }
}

extension TrustProbeReport {
    /// Whether the observation is a result of its own: the server signed by its leaf's key, over parameters that TLS would have agreed on,
    /// and nothing of TLS's is left open; or it is refused for the handshake itself.
    fileprivate var isConclusive: Bool {
        guard let seen = handshake, let version = seen.version else { return false }
        if version < .tls12 || seen.signature == .invalid { return true }
        guard seen.signature == .valid, seen.isUsual else { return false }
        guard verdict.isTrusted else { return true }
        // Whether a client without a certificate is served only TLS can find out.
        return seen.clientCertificateRequest == nil
    }

    /// Adds the facts of an observation of the same server in the same version.
    fileprivate mutating func take(_ observed: TrustProbeReport?) {
        guard let observed, observed.presentedChain.leaf == presentedChain.leaf else { return }
        guard tlsVersion == nil || tlsVersion == observed.tlsVersion else { return }
        handshake = observed.handshake
        // TLS failed behind the certificate.
        tlsVersion = observed.tlsVersion
        guard !isComplete, let seen = handshake else { return }
        verdict = verdict.held(toKeyUsageOf: presentedChain.leaf, in: seen)
        if !verdict.isTrusted { failure = nil }
    }

    /// Refuses a server whose chain passes and whose handshake ended before it proved its key. The error of the handshake stays beside it.
    fileprivate mutating func requireProof() {
        guard verdict.isTrusted, !isComplete, handshake?.signature != .valid else { return }
        refuseWithoutProof()
    }

    private mutating func refuseWithoutProof() {
        verdict = verdict.refused(
            for: TrustFailure(
                .handshakeUnproven, certificate: 0, role: .leaf,
                found: .text(handshake?.cipherSuite?.description ?? "none")))
    }

    /// Returns the report on a server with which TLS fails behind the observation. Without a proof of the key it is refused.
    fileprivate func unproven(_ error: TrustProbeError) -> TrustProbeReport {
        var report = self
        guard handshake?.signature != .valid else {
            if verdict.isTrusted { report.failure = error }
            return report
        }
        // A connection that ended says nothing about the server. The verdict is that of the certificates otherwise.
        if verdict.isTrusted, error.isOfConnection { report.failure = error }
        report.refuseWithoutProof()
        return report
    }
}

extension TrustProbeError {
    /// Whether the connection failed, and not the handshake.
    fileprivate var isOfConnection: Bool {
        switch reason {
        case .closed, .timedOut, .unreachable, .nameNotResolved, .nameLookupTimedOut, .proxyFailed: true
        default: false
        }
    }
}

extension HandshakeObservation {
    /// Whether the server chose nothing beyond the offer of NIOSSL's clients.
    fileprivate var isUsual: Bool {
        let suites = CipherSuite.forTLS13 + CipherSuite.usual
        guard let cipherSuite, suites.contains(cipherSuite), let group, let signatureScheme else { return false }
        let schemes: [HandshakeSignatureScheme] = [
            .ecdsaP256SHA256, .rsaPSSRSAESHA256, .rsaPKCS1SHA256, .ecdsaP384SHA384, .rsaPSSRSAESHA384, .rsaPKCS1SHA384,
            .ecdsaP521SHA512, .rsaPSSRSAESHA512, .rsaPKCS1SHA512, .ed25519,
        ]
        return schemes.contains(signatureScheme) && [.x25519, .p256, .p384].contains(group)
    }
}
