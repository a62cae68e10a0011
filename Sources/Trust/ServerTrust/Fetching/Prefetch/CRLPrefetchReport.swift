// SPDX-License-Identifier: Apache-2.0

/// The result of one run of ``CRLPrefetch``.
package struct CRLPrefetchReport: Sendable {
    /// An address whose CRL couldn't be updated.
    package struct Failure: Sendable, Hashable {
        /// The address as the caller or the CRL wrote it.
        package let url: String
        /// The reason: a name of `TrustFetchError`, or `cacheFailed`.
        package let reason: String
        /// Details for people. The wording may change.
        package let detail: String
        /// Whether the cache still contains a CRL of an earlier run that hasn't expired yet.
        package let isHeld: Bool

        package init(url: String, reason: String, detail: String, isHeld: Bool) {
            self.url = withoutUserInformation(url)
            self.reason = reason
            self.detail = detail
            self.isHeld = isHeld
        }
    }

    /// The number of addresses that were passed or found, without duplicates.
    package internal(set) var addresses = 0
    /// The number of these addresses that CRLs name for their deltas.
    package internal(set) var deltas = 0
    /// The number of delta addresses that were skipped, because they were too long or over the limit of addresses.
    package internal(set) var unusedDeltas = 0
    /// The number of CRLs that were fetched and stored.
    package internal(set) var fetched = 0
    /// The number of CRLs that are unchanged according to their servers.
    package internal(set) var notModified = 0
    /// The number of CRLs in the cache that weren't due yet.
    package internal(set) var fresh = 0
    /// The size of the fetched CRLs, in bytes.
    package internal(set) var fetchedBytes = 0
    /// The size of all CRLs in the cache, in bytes, including the overhead of each entry.
    package internal(set) var heldBytes = 0
    /// The addresses that weren't requested, because of a limit or of earlier failures.
    package internal(set) var skipped: [Failure] = []
    /// The addresses whose CRL couldn't be fetched or stored.
    package internal(set) var failures: [Failure] = []

    /// Whether the cache contains the CRLs of all addresses.
    package var isComplete: Bool { failures.isEmpty && skipped.isEmpty && unusedDeltas == 0 }

    /// The number of settled addresses so far.
    var settled: Int { fetched + notModified + fresh + failures.count + skipped.count }
}
