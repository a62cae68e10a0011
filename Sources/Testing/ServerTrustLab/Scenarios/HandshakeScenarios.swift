// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrustTesting

// Servers with a valid chain and a handshake that proves nothing. TLS libraries end it without a verdict; `servertrust check`, which
// observes a handshake, has one.

extension LabScenario {
    /// A server that signs the handshake by another key than its certificate's.
    package static let wrongHandshakeSignature = LabScenario(
        "wrong-handshake-signature", "signs by a key that is not its certificate's",
        .refused(.handshakeSignatureInvalid), handshakeBehavior: .sends(.wrongSignature), isForProbes: true
    ) {
        try $0.below()
    }

    /// A server with a cipher suite that has no signature and that TLS libraries don't offer.
    package static let unsignedHandshake = LabScenario(
        "unsigned-handshake", "a cipher suite of which no client can see a proof", .refused(.handshakeUnproven),
        handshakeBehavior: .sends(.noSignature), isForProbes: true
    ) { lab in
        try lab.below(key: SharedKeys.rsa2048.get()) { $0.keyUsage = [.digitalSignature, .keyEncipherment] }
    }

    /// A server of TLS 1.0.
    package static let oldTLS = LabScenario(
        "tls-1.0", "speaks TLS 1.0 alone", .refused(.tlsVersionOutdated), handshakeBehavior: .sends(.tls10),
        isForProbes: true
    ) {
        try $0.below()
    }

    /// Returns a server with a valid chain that doesn't have the key, of a cipher suite in which that shows at the end. It is none of ``all``:
    /// a client may report it as one without a handshake as well.
    package static func unfinishedHandshake(_ end: HandshakeFlight.End) -> LabScenario {
        LabScenario(
            "unfinished-handshake-\(end.rawValue.lowercased())", "a handshake that ends before the proof of the key",
            .refused(.handshakeUnproven), handshakeBehavior: .sends(.unfinished(end)), isForProbes: true
        ) { lab in
            try lab.below(key: SharedKeys.rsa2048.get()) { $0.keyUsage = [.digitalSignature, .keyEncipherment] }
        }
    }
}
