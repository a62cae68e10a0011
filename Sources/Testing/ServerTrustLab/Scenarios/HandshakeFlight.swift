// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// A server's first flight, up to TLS 1.2, that doesn't prove possession of the certificate's key (RFC 5246 § 7.4).
///
/// Every client gets the same bytes. No client completes such a handshake.
package enum HandshakeFlight: Sendable, Hashable {
    /// The end of a handshake with a server that doesn't have its certificate's key.
    package enum End: String, Sendable, Hashable, CaseIterable {
        /// The server closes the connection.
        case closes
        /// The server sends a handshake_failure alert.
        case alerts
        /// The server sends a Finished message encrypted with keys that don't match any client's.
        case wrongFinished
        /// The server sends nothing else.
        case staysSilent
    }

    /// TLS 1.2 with an invalid signature.
    case wrongSignature
    /// TLS 1.2 with RSA key exchange, which has no signature, and a cipher suite that common libraries don't offer.
    case noSignature
    /// TLS 1.0.
    case tls10
    /// TLS 1.2 with RSA key exchange and a cipher suite that common libraries offer. The libraries first evaluate the
    /// certificates. They detect only at the end of the handshake that the server doesn't have the key.
    case unfinished(End)

    /// Whether the server closes the connection after the flight.
    var closes: Bool { self == .unfinished(.closes) }

    /// Returns the flight in one record, followed by the server's end of the handshake.
    func bytes(_ chain: [Certificate]) -> [UInt8] {
        var messages = message(2, hello) + message(11, certificates(chain))
        if isSigned { messages += message(12, keyExchange) }
        messages += message(14, [])
        return record(22, messages) + end
    }

    private var isSigned: Bool {
        switch self {
        case .wrongSignature, .tls10: true
        case .noSignature, .unfinished: false
        }
    }

    private var end: [UInt8] {
        switch self {
        case .unfinished(.alerts): record(21, [2, 40])
        // As long as a Finished message with AES-128-GCM: a nonce, the message and a tag.
        case .unfinished(.wrongFinished): record(20, [1]) + record(22, [UInt8](repeating: 7, count: 8 + 16 + 16))
        default: []
        }
    }

    private func record(_ kind: UInt8, _ content: [UInt8]) -> [UInt8] { [kind] + version + vector(2, content) }

    private var version: [UInt8] { self == .tls10 ? [3, 1] : [3, 3] }

    private var cipherSuite: [UInt8] {
        switch self {
        case .wrongSignature: [0xc0, 0x2b]  // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
        case .noSignature: [0x00, 0x3d]  // TLS_RSA_WITH_AES_256_CBC_SHA256
        case .tls10: [0xc0, 0x0a]  // TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA
        case .unfinished: [0x00, 0x9c]  // TLS_RSA_WITH_AES_128_GCM_SHA256
        }
    }

    /// Without a session or extensions.
    private var hello: [UInt8] { version + (1...32).map { UInt8($0) } + [0] + cipherSuite + [0] }

    private func certificates(_ chain: [Certificate]) -> [UInt8] { vector(3, chain.flatMap { vector(3, $0.der) }) }

    /// An X25519 key, and a signature with r = s = 1. TLS 1.0 names no algorithm (RFC 8422 § 5.4).
    private var keyExchange: [UInt8] {
        [3, 0, 29] + vector(1, [UInt8](repeating: 9, count: 32)) + (self == .tls10 ? [] : [4, 3])
            + vector(2, [0x30, 6, 2, 1, 1, 2, 1, 1])
    }

    private func message(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] { [kind] + vector(3, body) }

    /// Returns the bytes, preceded by their count. The count is `width` bytes long.
    private func vector(_ width: Int, _ content: [UInt8]) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: content.count >> (8 * $0)) } + content
    }
}

#endif
