// SPDX-License-Identifier: Apache-2.0

import Foundation
import ServerTrust

/// A cache of anchor stores for recent requests, because clients send the same anchors with every line.
///
/// The cache compares the texts byte for byte, so an entry equals a newly created store. It is bounded and not
/// thread-safe: each worker has its own.
struct AnchorStoreCache {
    struct Entry {
        let anchors: TrustAnchors
        /// The anchors that were left out, as texts with their errors.
        let warnings: [String]
        /// The anchors that were left out.
        let unreadable: [UnreadableCertificate]
    }

    /// The maximum number of entries. A typical client uses one or two sets.
    private static let maximumCount = 8
    /// The approximate maximum size in bytes. The roots of the public web are 250 KB as base64.
    private static let maximumSize = 4 << 20

    /// The entries, most recently used first.
    private var known: [(texts: [String], size: Int, entry: Entry)] = []

    /// Returns the entry for these texts. If it is missing, creates it with `make` and stores it unless it is nil.
    mutating func entry(for texts: [String], make: () -> Entry?) -> Entry? {
        if let index = known.firstIndex(where: { Self.areIdentical($0.texts, texts) }) {
            if index > 0 { known.insert(known.remove(at: index), at: 0) }
            return known[0].entry
        }
        guard let entry = make() else { return nil }
        let size = texts.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.size }
        guard size <= Self.maximumSize else { return entry }
        known.insert((texts, size, entry), at: 0)
        while known.count > Self.maximumCount || known.reduce(0, { $0 + $1.size }) > Self.maximumSize {
            known.removeLast()
        }
        return entry
    }

    private static func areIdentical(_ left: [String], _ right: [String]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.hasSameBytes(as: $1) }
    }
}
