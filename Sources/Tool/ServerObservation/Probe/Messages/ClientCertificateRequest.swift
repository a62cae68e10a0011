// SPDX-License-Identifier: Apache-2.0

/// A server's request for a client certificate (RFC 8446 § 4.3.2, RFC 5246 § 7.4.4).
package struct ClientCertificateRequest: Sendable, Hashable {
    /// The maximum number of ``authorities``.
    package static let maximumAuthorities = 100

    /// The names of the CAs that the server accepts, in DER. Empty if it accepts any CA. Names beyond the maximum
    /// number are dropped. The names aren't checked.
    package let authorities: [[UInt8]]
    /// The number of dropped names.
    package let omittedAuthorities: Int
    /// The signature schemes that the server accepts, empty before TLS 1.2.
    package let signatureSchemes: [HandshakeSignatureScheme]

    private static let name = "CertificateRequest"

    init(_ message: Message, _ version: ProtocolVersion) throws(HandshakeError) {
        var reader = WireReader(message.body, Self.name)
        var schemes = WireReader([], Self.name)
        var names = WireReader([], Self.name)
        if version == .tls13 {
            guard try reader.vector(1).isEmpty else { throw .malformed(Self.name) }
            let extensions = try ExtensionList(&reader, in: Self.name, allowed: nil)
            // Without this extension, a client couldn't sign anything.
            guard var list = extensions.reader(ExtensionType.signatureAlgorithms, Self.name) else {
                throw .malformed(Self.name)
            }
            schemes = try list.inside(2)
            try list.finish()
            if var list = extensions.reader(ExtensionType.certificateAuthorities, Self.name) {
                names = try list.inside(2)
                try list.finish()
            }
        } else {
            guard try !reader.vector(1).isEmpty else { throw .malformed(Self.name) }
            if version == .tls12 { schemes = try reader.inside(2) }
            names = try reader.inside(2)
        }
        try reader.finish()
        signatureSchemes = try Self.readSchemes(&schemes)
        (authorities, omittedAuthorities) = try Self.readNames(&names)
    }

    private static func readSchemes(_ list: inout WireReader) throws(HandshakeError) -> [HandshakeSignatureScheme] {
        var schemes: [HandshakeSignatureScheme] = []
        while !list.isAtEnd {
            let scheme = HandshakeSignatureScheme(rawValue: try list.uint16())
            if schemes.count < maximumAuthorities { schemes.append(scheme) }
        }
        return schemes
    }

    private static func readNames(_ list: inout WireReader) throws(HandshakeError) -> ([[UInt8]], Int) {
        var names: [[UInt8]] = []
        var omitted = 0
        while !list.isAtEnd {
            let name = try list.vector(2)
            if names.count < maximumAuthorities { names.append(Array(name)) } else { omitted += 1 }
        }
        return (names, omitted)
    }
}
