// SPDX-License-Identifier: Apache-2.0

// Servers that never get as far as showing a chain.

extension LabScenario {
    /// Plain HTTP on the port.
    public static let noTLS = LabScenario("no-tls", "speaks plain HTTP", .noHandshake, conduct: .speaksNoTLS) {
        try $0.below()
    }

    /// Sends 60 bytes of a real first flight, and closes.
    public static let handshakeCutOff = LabScenario(
        "handshake-cut-off", "closes in the middle of the handshake", .noHandshake, conduct: .cutsHandshakeOff
    ) {
        try $0.below()
    }
}
