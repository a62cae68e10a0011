// SPDX-License-Identifier: Apache-2.0

import Crypto

/// One verified signature of a leaf: the SHA-256 of its issuer's SubjectPublicKeyInfo followed by the whole leaf.
///
/// The first of the two is DER and ends where its length says, so no two pairs have the same bytes together. Both certificates take some
/// 2 KB, a place for this takes 40 bytes; for a wrong entry an author of certificates would need a collision of SHA-256.
struct LeafSignature: Sendable, Hashable {
    private let digest: SHA256Digest

    init(_ leaf: Certificate, signedBy issuer: Certificate) {
        digest = Digests.hash(
            SHA256.self, issuer.span, issuer.storage.fields.spki.whole.indices, followedBy: leaf.span)
    }

    /// A word that is close to random, for tables whose entries are compared in full.
    var word: UInt64 { unsafe digest.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt64.self) } }
}
