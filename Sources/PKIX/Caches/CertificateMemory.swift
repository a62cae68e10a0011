// SPDX-License-Identifier: Apache-2.0

/// A bounded memory of parsed certificates, shared by any number of threads: the same bytes come back as the same value,
/// without being copied or parsed again.
///
/// A client that meets the same servers again gets the same certificates in every handshake. Parsing decides nothing about
/// trust, so nothing in here ever becomes stale.
public final class CertificateMemory: Sendable {
    private final class Entry: Sendable {
        let certificate: Certificate
        init(_ certificate: Certificate) { self.certificate = certificate }
    }

    private let memory: BoundedCache<Entry>

    /// - Parameter capacity: how many certificates are remembered at most, rounded up to a multiple of 64. The default, 1024,
    ///   takes some 2 MB when full.
    public init(capacity: Int = 1024) { self.memory = BoundedCache(capacity: capacity) }

    /// The memory that presented chains share unless told otherwise.
    public static let shared = CertificateMemory()

    /// The certificate with these bytes, parsed unless it is remembered. What is larger than 16 KB is not kept.
    /// - Throws: ``DERError`` as ``Certificate/init(der:)-([UInt8])``.
    public func certificate(der: [UInt8]) throws(DERError) -> Certificate {
        let view = der[...]
        let word = view.count >= 8 ? loadWord(view.span, view.count - 8) : 0
        if let entry = memory.entry(word, where: { $0.certificate.hasBytes(der) }) { return entry.certificate }
        let certificate = try Certificate(der: der)
        if der.count <= SignatureMemory.maximumCertificateSize {
            memory.insert(Entry(certificate), word) { $0.certificate == certificate }
        }
        return certificate
    }

    /// How many certificates are remembered now.
    public var count: Int { memory.count }

    /// Forgets everything.
    public func removeAll() { memory.removeAll() }
}

extension Certificate {
    fileprivate func hasBytes(_ der: [UInt8]) -> Bool {
        let view = der[...]
        return bytesEqual(span, ByteRange(0, span.count), view.span, ByteRange(0, view.count))
    }

    /// A word that is as good as random among honest certificates, for tables whose entries are compared byte for byte.
    package var tableWord: UInt64 { tail }

    /// Of the DER, in bytes.
    package var size: Int { storage.count }
}
