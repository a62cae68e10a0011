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
            report.milliseconds = Int((NIODeadline.now() - start).nanoseconds / 1_000_000)
            return report
        } catch {
            guard let observed else { throw error }
            return observed.unproven(error)
        }
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

    /// Returns the report on a server with which TLS fails behind the observation. Without a proof of the key it is refused.
    fileprivate func unproven(_ error: TrustProbeError) -> TrustProbeReport {
        var report = self
        guard handshake?.signature != .valid else {
            if verdict.isTrusted { report.failure = error }
            return report
        }
        report.verdict = verdict.refused(
            for: TrustFailure(
                .handshakeUnproven, certificate: 0, role: .leaf,
                found: .text(handshake?.cipherSuite?.description ?? "none")))
        return report
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
