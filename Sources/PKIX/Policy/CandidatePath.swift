// SPDX-License-Identifier: Apache-2.0

/// A path whose certificates and their order are known, and nothing else.
struct CandidatePath {
    /// Leaf first, anchor last.
    var certificates: [Certificate]
    /// A bit for each intermediate that is self-issued. Of leaf and anchor it is not asked.
    var selfIssued: UInt64

    /// One bit a certificate.
    static let maximumCount = 64

    func isSelfIssued(_ index: Int) -> Bool { selfIssued >> UInt64(index) & 1 == 1 }

    var anchorIndex: Int { certificates.count - 1 }

    func role(_ index: Int) -> TrustFailure.Role {
        index == 0 ? .leaf : index == anchorIndex ? .anchor : .intermediate
    }
}
