// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A memory of parsed CRLs and OCSP responses, by their bytes. It also keeps the results of their signature
/// verification.
///
/// Parsing makes no decision, so no entry becomes stale. The memory is limited in bytes and evicts the least recently
/// used entry.
final class RevocationMemory: Sendable {
    static let shared = RevocationMemory()

    private let responses = BoundedCache<OCSPResponse>(capacity: 256)
    /// The lists, most recently used first.
    private let lists = Locked<[CertificateRevocationList]>([])

    /// The limit for the bytes of CRLs: enough for about two of the largest CRLs of the public web, or hundreds of
    /// typical ones.
    private let maximumSize: Int
    private static let maximumCount = 256
    /// The maximum size of a response that the memory keeps, in bytes.
    private static let maximumResponseSize = 16 << 10

    init(maximumSize: Int = 64 << 20) { self.maximumSize = maximumSize }

    /// Returns a list that was parsed before and is still in memory, otherwise nil.
    func knownList(der: [UInt8]) -> CertificateRevocationList? {
        lists.withLock { lists in
            guard let index = lists.firstIndex(where: { $0.hasBytes(der[...]) }) else { return nil }
            if index > 0 { lists.insert(lists.remove(at: index), at: 0) }
            return lists[0]
        }
    }

    func list(der: [UInt8]) throws(DERError) -> CertificateRevocationList {
        if let known = knownList(der: der) { return known }
        let list = try CertificateRevocationList(der: der)
        guard list.size <= maximumSize / 2 else { return list }
        lists.withLock { lists in
            lists.insert(list, at: 0)
            var size = 0
            let kept = lists.prefix(Self.maximumCount).prefix { list in
                size += list.size
                return size <= maximumSize
            }
            lists = Array(kept)
        }
        return list
    }

    func response(der: [UInt8]) throws(DERError) -> OCSPResponse {
        let word = der.suffix(8).reduce(UInt64(der.count)) { $0 << 8 ^ UInt64($1) }
        if let known = responses.entry(word, where: { $0.der == der }) { return known }
        let response = try OCSPResponse(der: der)
        if der.count <= Self.maximumResponseSize {
            responses.insert(response, word) { $0 == response }
        }
        return response
    }
}
