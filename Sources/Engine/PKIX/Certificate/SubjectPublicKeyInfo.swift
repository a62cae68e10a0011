// SPDX-License-Identifier: Apache-2.0

/// A public key in the form of certificates: algorithm, parameters and key bits (RFC 5280 § 4.1.2.7).
///
/// The bytes are the identity: a pin is the SHA-256 of exactly these bytes, for every kind of key (RFC 7469 § 2.4).
public struct SubjectPublicKeyInfo: Sendable, Hashable {
    /// The encoding, tag and length included.
    public let der: [UInt8]

    init(checkedDER der: [UInt8]) { self.der = der }

    /// Parses a SubjectPublicKeyInfo in DER. The key itself is not checked: any algorithm can be pinned.
    /// - Throws: ``DERError`` for anything else.
    public init(der: [UInt8]) throws(DERError) {
        guard der.count <= Certificate.maximumSize else {
            throw DERError(.limitExceeded(limit: Certificate.maximumSize), in: "subjectPublicKeyInfo", at: 0)
        }
        let view = der[...]
        var reader = DERReader(view.span)
        _ = try reader.nextPublicKeyInfo()
        try reader.finish("subjectPublicKeyInfo")
        self.der = der
    }

    /// The algorithm's identifier.
    package var algorithm: OID {
        let view = der[...]
        var reader = DERReader(view.span)
        guard let info = try? reader.nextPublicKeyInfo() else { return OID(checkedContents: []) }
        return OID(checkedContents: Array(der[info.algorithm.oid.indices]))
    }

    /// SHA-256 over ``der``, 32 bytes: the value of a pin.
    public var sha256: [UInt8] {
        let view = der[...]
        return Digests.sha256(view.span, 0..<view.count)
    }
}
