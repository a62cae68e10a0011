// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust
import ServerTrustNIO

extension EvaluatedServer {
    /// Returns the server with the verdict for an observed handshake. The server is rejected if the signature isn't the
    /// leaf's, the TLS version is no longer in use, or the handshake may not use the key.
    func held(to seen: HandshakeObservation) -> EvaluatedServer {
        var verdict = verdict
        if seen.signature == .invalid {
            verdict = verdict.refused(
                for: TrustFailure(
                    .handshakeSignatureInvalid, certificate: 0, role: .leaf,
                    found: .text(seen.signatureScheme?.description ?? "none")))
        }
        if let version = seen.version, version < .tls12 {
            verdict = verdict.refused(
                for: TrustFailure(
                    .tlsVersionOutdated, expected: .text(ProtocolVersion.tls12.description),
                    found: .text(version.description)))
        }
        verdict = verdict.held(toKeyUsageOf: presentedChain.leaf, in: seen)
        return EvaluatedServer(host: host, presentedChain: presentedChain, verdict: verdict)
    }
}

extension TrustVerdict {
    /// Returns the verdict, rejected if the leaf's key usage doesn't allow the operation that the negotiated suite
    /// needs (RFC 5246 § 7.4.2, RFC 8446 § 4.4.2.2). BoringSSL ends such a handshake with `KEY_USAGE_BIT_INCORRECT`.
    func held(toKeyUsageOf leaf: Certificate?, in seen: HandshakeObservation) -> TrustVerdict {
        guard let usage = leaf?.keyUsage, let exchange = seen.cipherSuite?.keyExchange,
            !failures.contains(where: { $0.code == .keyUsageNotForTLS })
        else { return self }
        let needed: KeyUsage = exchange == .rsa ? .keyEncipherment : .digitalSignature
        guard !usage.contains(needed) else { return self }
        return refused(
            for: TrustFailure(
                .keyUsageNotForTLS, certificate: 0, role: .leaf, expected: .list(needed.names),
                found: .list(usage.names)))
    }
}
