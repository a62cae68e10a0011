// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX
import ServerTrustTesting

// Servers with a valid chain and a handshake that proves nothing. TLS libraries end the handshake without a verdict.
// `servertrust check` observes the handshake and reaches a verdict.

extension LabScenario {
    /// A server that signs the handshake with a key other than its certificate's.
    static let wrongHandshakeSignature = LabScenario(
        "wrong-handshake-signature", "signs with a key that isn't its certificate's",
        .refused(.handshakeSignatureInvalid), handshakeBehavior: .sends(.wrongSignature), isForProbes: true
    ) {
        try $0.below()
    }

    /// A server with a cipher suite that has no signature and that TLS libraries don't offer.
    static let unsignedHandshake = LabScenario(
        "unsigned-handshake", "a cipher suite without a signature from the server", .refused(.handshakeUnproven),
        handshakeBehavior: .sends(.noSignature), isForProbes: true
    ) { lab in
        try lab.below(key: SharedKeys.rsa2048.get()) { $0.keyUsage = [.digitalSignature, .keyEncipherment] }
    }

    /// A server that speaks only TLS 1.0.
    static let oldTLS = LabScenario(
        "tls-1.0", "speaks only TLS 1.0", .refused(.tlsVersionOutdated), handshakeBehavior: .sends(.tls10),
        isForProbes: true
    ) {
        try $0.below()
    }

    /// Returns a server that has a valid chain but not the key. With its cipher suite, this shows only at the end of
    /// the handshake. The scenario isn't in ``all``, because a client may also report it as a server without a
    /// handshake.
    static func unfinishedHandshake(_ end: HandshakeFlight.End) -> LabScenario {
        LabScenario(
            "unfinished-handshake-\(end.rawValue.lowercased())",
            "ends the handshake before it proves its key",
            .refused(.handshakeUnproven), handshakeBehavior: .sends(.unfinished(end)), isForProbes: true
        ) { lab in
            try lab.below(key: SharedKeys.rsa2048.get()) { $0.keyUsage = [.digitalSignature, .keyEncipherment] }
        }
    }
}

#endif
