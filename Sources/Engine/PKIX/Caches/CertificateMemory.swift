// SPDX-License-Identifier: Apache-2.0

/// A bounded cache of parsed certificates that any number of threads can share. Equal bytes return the same value,
/// without copying or parsing them again.
///
/// A client that connects to the same servers again receives the same certificates in every handshake. Parsing doesn't
/// evaluate trust, so no entry becomes stale.
package final class CertificateMemory: Sendable {
    private let memory: BoundedCache<Certificate>

    /// Creates an empty cache.
    /// - Parameter capacity: the largest number of certificates, rounded up to a multiple of 64. The default, 1024,
    ///   takes about 2 MB when full.
    package init(capacity: Int = 1024) { self.memory = BoundedCache(capacity: capacity) }

    /// The cache that presented chains share by default.
    package static let shared = CertificateMemory()

    /// Returns the certificate with these bytes, and parses it unless it is cached. Certificates over 16 KB aren't
    /// cached.
    /// - Throws: ``DERError`` as ``Certificate/init(der:)-([UInt8])``.
    package func certificate(der: [UInt8]) throws(DERError) -> Certificate {
        let view = der[...]
        let word = view.count >= 8 ? loadWord(view.span, view.count - 8) : 0
        if let known = memory.entry(word, where: { $0.hasBytes(der) }) { return known }
        let certificate = try Certificate(der: der)
        if der.count <= SignatureMemory.maximumCertificateSize {
            memory.insert(certificate, word) { $0 == certificate }
        }
        return certificate
    }

    /// The current number of cached certificates.
    package var count: Int { memory.count }

    /// Removes all certificates.
    package func removeAll() { memory.removeAll() }
}

extension Certificate {
    fileprivate func hasBytes(_ der: [UInt8]) -> Bool {
        let view = der[...]
        return bytesEqual(span, ByteRange(0, span.count), view.span, ByteRange(0, view.count))
    }

    /// A word that is close to random among honest certificates, for tables that compare their entries byte for byte.
    package var tableWord: UInt64 { tail }

    /// The size of the DER in bytes.
    package var size: Int { storage.count }
}
