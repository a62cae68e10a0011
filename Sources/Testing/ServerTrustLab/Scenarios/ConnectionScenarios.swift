// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

// Servers that never present a chain.

extension LabScenario {
    /// Speaks plain HTTP on the port.
    public static let noTLS = LabScenario("no-tls", "speaks plain HTTP", .noHandshake, handshakeBehavior: .plainHTTP) {
        try $0.below()
    }

    /// Sends 60 bytes of a real first flight, and then closes the connection.
    static let handshakeCutOff = LabScenario(
        "handshake-cut-off", "closes the connection during the handshake", .noHandshake,
        handshakeBehavior: .closesDuringHandshake
    ) {
        try $0.below()
    }
}

#endif
