// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// The result of one run of ``CRLPrefetch``.
package struct CRLPrefetchReport: Sendable {
    /// An address whose CRL could not be brought up to date.
    package struct Failure: Sendable, Hashable {
        /// The address as it was named.
        package let url: String
        /// The reason: a name of `TrustFetchError`, or `cacheFailed`.
        package let reason: String
        /// Details for people; the wording may change.
        package let detail: String
        /// Whether a CRL of an earlier run that has not ended yet is still in the cache.
        package let isHeld: Bool

        package init(url: String, reason: String, detail: String, isHeld: Bool) {
            self.url = withoutUserInformation(url)
            self.reason = reason
            self.detail = detail
            self.isHeld = isHeld
        }
    }

    /// The addresses that were named or found, each once.
    package internal(set) var addresses = 0
    /// The addresses among them that CRLs name for their deltas.
    package internal(set) var deltas = 0
    /// The addresses of deltas that were left out: too long, or beyond the limit of addresses.
    package internal(set) var unusedDeltas = 0
    /// The CRLs that were fetched and stored.
    package internal(set) var fetched = 0
    /// The CRLs that their servers said to be unchanged.
    package internal(set) var notModified = 0
    /// The CRLs in the cache that weren't due yet.
    package internal(set) var fresh = 0
    /// The bytes of the fetched CRLs.
    package internal(set) var fetchedBytes = 0
    /// The bytes of all CRLs that are in the cache, with what the cache adds to each.
    package internal(set) var heldBytes = 0
    /// The addresses that were not asked for, because of a limit or of failures before.
    package internal(set) var skipped: [Failure] = []
    /// The addresses whose CRL could not be fetched or stored.
    package internal(set) var failures: [Failure] = []

    /// Whether the CRLs of all addresses are in the cache.
    package var isComplete: Bool { failures.isEmpty && skipped.isEmpty && unusedDeltas == 0 }

    /// The addresses that are settled so far.
    package var settled: Int { fetched + notModified + fresh + failures.count + skipped.count }
}
