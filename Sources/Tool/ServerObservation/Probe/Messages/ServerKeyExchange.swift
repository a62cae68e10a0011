// SPDX-License-Identifier: Apache-2.0

/// The signed parameters of a key exchange up to TLS 1.2 (RFC 8422 § 5.4, RFC 5246 § 7.4.3).
struct ServerKeyExchange {
    /// The group, for suites with curves.
    let group: NamedGroup?
    /// The size of the prime in bits, for suites without curves.
    let primeBits: Int?
    /// The signed bytes, without the two random numbers that precede them.
    let parameters: [UInt8]
    /// The signature scheme, or nil before TLS 1.2. There, the suite determines it: MD5 and SHA-1 for RSA, SHA-1 for
    /// ECDSA.
    let scheme: HandshakeSignatureScheme?
    let signature: [UInt8]

    private static let name = "ServerKeyExchange"

    init(
        _ message: Message, _ exchange: CipherSuite.KeyExchange, _ version: ProtocolVersion
    ) throws(HandshakeError) {
        var reader = WireReader(message.body, Self.name)
        switch exchange {
        case .ecdhe:
            // The value 3 is a named curve. Explicit curves are deprecated (RFC 8422 § 5.4).
            guard try reader.uint8() == 3 else { throw .malformed(Self.name) }
            let group = NamedGroup(rawValue: try reader.uint16())
            guard ProbeSecrets.groups.contains(group) else {
                throw HandshakeError(.groupNotOffered, "the server chose \(group), which wasn't offered")
            }
            self.group = group
            primeBits = nil
            guard try !reader.vector(1).isEmpty else { throw .malformed(Self.name) }
        case .dhe:
            let prime = try reader.vector(2).drop { $0 == 0 }
            primeBits = prime.count * 8 - (prime.first?.leadingZeroBitCount ?? 0)
            group = nil
            for _ in 0..<2 {
                guard try !reader.vector(2).isEmpty else { throw .malformed(Self.name) }
            }
        case .rsa, .tls13:
            throw HandshakeError(.unexpected, "the server sent a key exchange, but the cipher suite defines none")
        }
        parameters = Array(message.body[..<reader.rest.startIndex])
        scheme = version >= .tls12 ? HandshakeSignatureScheme(rawValue: try reader.uint16()) : nil
        signature = Array(try reader.vector(2))
        try reader.finish()
    }
}
