// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A cache of parsed certificates above leaves, because many rows have the same intermediates.
///
/// The cache compares the texts byte for byte, so an entry equals a newly parsed certificate. It is bounded and not
/// thread-safe: each worker has its own.
final class IssuerCache {
    /// The maximum number of entries.
    private static let maximumCount = 16
    /// The maximum size in bytes of a certificate in the cache. Nearly all are smaller than 2 KB.
    private static let maximumSize = 4 << 10

    private var entries: [(bytes: BatchBytes, certificate: Certificate)] = []
    /// The entry that the next certificate replaces if the cache is full.
    private var oldest = 0

    /// Returns the certificate with these bytes, or nil if the cache doesn't contain it.
    func certificate(_ bytes: BatchBytes) -> Certificate? { entries.first { $0.bytes == bytes }?.certificate }

    /// Adds a certificate that was parsed from these bytes.
    func add(_ certificate: Certificate, _ bytes: BatchBytes) {
        guard certificate.der.count <= Self.maximumSize else { return }
        guard entries.count == Self.maximumCount else { return entries.append((bytes, certificate)) }
        entries[oldest] = (bytes, certificate)
        oldest = (oldest + 1) % Self.maximumCount
    }
}
