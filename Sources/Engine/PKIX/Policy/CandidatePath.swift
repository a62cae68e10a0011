// SPDX-License-Identifier: Apache-2.0

/// A path whose certificates and order are known, before any check.
struct CandidatePath {
    /// The certificates, leaf first, anchor last.
    var certificates: [Certificate]
    /// A bit for each intermediate that is self-issued. The bits of the leaf and the anchor are never set.
    var selfIssued: UInt64

    /// The largest number of certificates: one bit each.
    static let maximumCount = 64

    func isSelfIssued(_ index: Int) -> Bool { selfIssued >> UInt64(index) & 1 == 1 }

    var anchorIndex: Int { certificates.count - 1 }

    func role(_ index: Int) -> TrustFailure.Role {
        index == 0 ? .leaf : index == anchorIndex ? .anchor : .intermediate
    }
}
