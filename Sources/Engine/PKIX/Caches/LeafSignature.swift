// SPDX-License-Identifier: Apache-2.0

import Crypto

/// One verified signature of a leaf: the SHA-256 of its issuer's SubjectPublicKeyInfo followed by the whole leaf.
///
/// The SubjectPublicKeyInfo is DER and ends where its length says, so two different pairs never have the same
/// concatenated bytes. Both certificates take about 2 KB, while an entry with the digest takes 40 bytes. To create a
/// wrong entry, the author of certificates would need a collision of SHA-256.
struct LeafSignature: Sendable, Hashable {
    private let digest: SHA256Digest

    init(_ leaf: Certificate, signedBy issuer: Certificate) {
        digest = Digests.hash(
            SHA256.self, issuer.span, issuer.storage.fields.spki.whole.indices, followedBy: leaf.span)
    }

    /// A word that is close to random, for tables that compare their entries in full.
    var word: UInt64 { unsafe digest.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt64.self) } }
}
