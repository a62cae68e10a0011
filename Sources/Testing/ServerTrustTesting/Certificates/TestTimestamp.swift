// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import Crypto
import PKIX

/// A signed certificate timestamp (RFC 6962 § 3.2) from a ``TestLog``, with the faults that your test needs.
///
/// A timestamp in ``CertificateTemplate/timestamps`` is embedded. `list(_:for:)` returns the timestamps for a
/// handshake.
public struct TestTimestamp: Sendable {
    /// The log that signs.
    var log: TestLog
    /// The date, in milliseconds since 1970.
    var milliseconds: UInt64
    /// The extensions, unchanged. Empty by default, or the index of the entry for a tiled log.
    var extensions: [UInt8]
    /// The version. 0 means version 1.
    var version: UInt8 = 0
    /// The log identifier. The default is the identifier of `log`.
    public var logID: [UInt8]
    /// Whether the last bit of the signature is flipped.
    package var hasWrongSignature = false
    /// Bytes after the signature. A valid timestamp has none.
    var trailer: [UInt8] = []

    init(_ log: TestLog, at date: Time) {
        self.log = log
        self.milliseconds = UInt64(max(0, date.secondsSinceEpoch)) * 1000
        self.logID = log.logID
        self.extensions = log.isTiled ? Self.leafIndex(1) : []
    }

    /// Returns a copy with changes.
    public func with(_ change: (inout TestTimestamp) throws -> Void) rethrows -> TestTimestamp {
        var copy = self
        try change(&copy)
        return copy
    }

    /// The extension of tiled logs: type 0, a length of 5, an index of 40 bits.
    static func leafIndex(_ index: UInt64) -> [UInt8] { [0] + vector(2, number(5, index)) }

    /// The data that a timestamp signs.
    package enum Entry: Sendable {
        /// The certificate itself, in DER.
        case certificate([UInt8])
        /// The TBSCertificate of the precertificate, in DER without the poison extension, and the SHA-256 digest of its
        /// issuer's SubjectPublicKeyInfo.
        case precertificate([UInt8], issuerKeySHA256: [UInt8])
    }

    /// Returns the signed timestamp, one item of a list.
    func signed(_ entry: Entry) throws -> [UInt8] {
        let date = Self.number(8, milliseconds)
        let contents =
            switch entry {
            case .certificate(let der): Self.number(2, 0) + Self.vector(3, der)
            case .precertificate(let tbs, let issuerKey): Self.number(2, 1) + issuerKey + Self.vector(3, tbs)
            }
        let signed = [version, 0] + date + contents + Self.vector(2, extensions)
        let (name, algorithm) = log.key.timestampAlgorithm
        var signature = try log.key.sign(signed, algorithm)
        if hasWrongSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return [version] + logID + date + Self.vector(2, extensions) + name + Self.vector(2, signature) + trailer
    }

    // MARK: - Lists

    /// Returns a `SignedCertificateTimestampList` (RFC 6962 § 3.3) over the certificate itself, as in a handshake.
    ///
    /// Embedded timestamps cover the precertificate: see ``CertificateTemplate/timestamps``.
    static func list(_ timestamps: [TestTimestamp], for certificate: Certificate) throws -> [UInt8] {
        list(items: try timestamps.map { try $0.signed(.certificate(certificate.der)) })
    }

    /// The certificate extension, 1.3.6.1.4.1.11129.2.4.2.
    private static let embedded = OID(contents: [0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 2])
    /// The OCSP response extension, 1.3.6.1.4.1.11129.2.4.5.
    static let inOCSP = OID(contents: [0x2b, 6, 1, 4, 1, 0xd6, 0x79, 2, 4, 5])

    /// Returns a list of items, unchanged. Not checked: whether their lengths fit into 16 bits.
    static func list(items: [[UInt8]]) -> [UInt8] { vector(2, items.flatMap { vector(2, $0) }) }

    /// Returns the certificate extension with these bytes as its list.
    static func ext(list: [UInt8], isCritical: Bool = false) -> Extension {
        Extension(
            identifier: embedded, isCritical: isCritical, value: DERWriter.octets(list))
    }

    /// Returns the bytes, preceded by their count. The count is `width` bytes long.
    private static func vector(_ width: Int, _ bytes: [UInt8]) -> [UInt8] { number(width, UInt64(bytes.count)) + bytes }

    private static func number(_ width: Int, _ number: UInt64) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension TestKey {
    /// The algorithm for a log's signatures, with its numbers in the TLS 1.2 registry: SHA-256 for every key except
    /// Ed25519.
    fileprivate var timestampAlgorithm: (name: [UInt8], algorithm: TestSignatureAlgorithm) {
        switch defaultSignatureAlgorithm {
        case .rsaSHA256: ([4, 1], .rsaSHA256)
        case .ed25519: ([8, 7], .ed25519)
        default: ([4, 3], .ecdsaSHA256)
        }
    }
}

extension CertificateTemplate {
    /// Returns the certificate with its timestamps. The logs sign the TBSCertificate without the extension, which is
    /// then added.
    func embeddingTimestamps(
        issuerKey: TestKey, _ encode: (CertificateTemplate) throws -> [UInt8]
    ) throws -> [UInt8] {
        let tbs = try TestEncoding.toBeSigned(encode(self))
        let issuer = Array(SHA256.hash(data: try issuerKey.subjectPublicKeyInfo()))
        let items = try timestamps.map { try $0.signed(.precertificate(tbs, issuerKeySHA256: issuer)) }
        return try encode(
            with {
                $0.extensions.insert(
                    TestTimestamp.ext(list: TestTimestamp.list(items: items)),
                    at: min(timestampsIndex ?? extensions.count, extensions.count))
            })
    }
}

#endif
