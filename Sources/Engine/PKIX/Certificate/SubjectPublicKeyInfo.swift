// SPDX-License-Identifier: Apache-2.0

/// A public key as in a certificate: algorithm, parameters and key bits (RFC 5280 § 4.1.2.7).
///
/// Two values are equal if their bytes are equal. A pin is the SHA-256 digest of exactly these bytes, for every kind of
/// key (RFC 7469 § 2.4).
public struct SubjectPublicKeyInfo: Sendable, Hashable {
    /// The DER encoding, including tag and length.
    public let der: [UInt8]

    init(checkedDER der: [UInt8]) { self.der = der }

    /// Parses a SubjectPublicKeyInfo in DER. Doesn't check the key itself, because you can pin a key of any algorithm.
    /// - Throws: ``DERError`` if the bytes aren't a SubjectPublicKeyInfo in DER.
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

    /// The identifier of the algorithm.
    package var algorithm: OID {
        let view = der[...]
        var reader = DERReader(view.span)
        guard let info = try? reader.nextPublicKeyInfo() else { return OID(checkedContents: []) }
        return OID(checkedContents: Array(der[info.algorithm.oid.indices]))
    }

    /// The SHA-256 digest of ``der`` with 32 bytes, which is the value of a pin.
    public var sha256: [UInt8] {
        let view = der[...]
        return Digests.sha256(view.span, 0..<view.count)
    }
}
