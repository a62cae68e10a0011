// SPDX-License-Identifier: Apache-2.0

// Verified signatures are remembered: each entry says that a certificate was signed with a key.
//
// An entry is compared byte for byte, issuer key and certificate both, so a collision of the hash can lose an entry but
// never return a wrong one. Only good signatures are remembered; no date, name or constraint is, so no entry becomes
// stale. An entry also has the certificate's own key, prepared for use: it verifies the next certificate down, and for
// RSA preparing it costs a third of that verification. Leaves of a batch are too many for that: of them the SHA-256 of
// both is kept (LeafSignature.swift).

/// A bounded memory of verified signatures, shared by any number of threads.
public final class SignatureMemory: Sendable {
    private let memory: BoundedCache<Entry>
    /// The signatures of leaves in a memory of a batch; nil elsewhere.
    private let leaves: BoundedCache<LeafSignature>?

    /// The largest number of signatures, beside those of leaves in a memory of a batch.
    package var capacity: Int { memory.capacity }

    /// The largest certificate that is remembered, in bytes, so that hostile ones can't fill the memory with megabytes.
    static let maximumCertificateSize = 16 * 1024

    /// Whether signatures of leaves are remembered too.
    package let includesLeaves: Bool

    /// Whether this is a memory of a batch: ``forBatch(leafCapacity:)``.
    var isForBatch: Bool { leaves != nil }

    /// Creates an empty memory.
    /// - Parameters:
    ///   - capacity: the largest number of signatures, rounded up to a multiple of 64. The default, 1024, is about the
    ///     number of intermediates of the public web and takes some 4 MB when full (certificate and issuer, exact).
    ///   - includesLeaves: true for a client that connects to the same servers again; false where every leaf comes
    ///     once, as with a server's clients, and would only evict the intermediates.
    public init(capacity: Int = 1024, includesLeaves: Bool = true) {
        self.includesLeaves = includesLeaves
        self.memory = BoundedCache(capacity: capacity)
        self.leaves = nil
    }

    /// Creates the memory of a batch.
    private init(capacity: Int, leafCapacity: Int) {
        self.includesLeaves = true
        self.memory = BoundedCache(capacity: capacity)
        self.leaves = BoundedCache(capacity: leafCapacity)
    }

    /// Returns an empty memory for chains of many servers, in which no path validation depends on those before it.
    ///
    /// A remembered signature is charged to the budget as if it were verified, unlike in other memories, so the order of chains and
    /// the number of threads change no result. Therefore signatures of rejected paths are remembered too: a CA whose leaves are all
    /// expired is verified once. (An author of many CAs can evict others, which then are verified again.) Leaves have a place of their
    /// own, by digest, and evict no intermediates.
    /// - Parameter leafCapacity: the largest number of leaves, rounded up to a multiple of 64. The default, 262,144, takes
    ///   10 MB from the beginning.
    package static func forBatch(leafCapacity: Int = 1 << 18) -> SignatureMemory {
        SignatureMemory(capacity: 1024, leafCapacity: leafCapacity)
    }

    /// The memory that all validators share by default.
    public static let shared = SignatureMemory()

    /// One remembered signature: `certificate` verifies with the key of `issuer`.
    final class Entry: Sendable {
        let certificate: Certificate
        let issuer: Certificate
        /// The key of `certificate`.
        let key: PreparedKey

        init(certificate: Certificate, issuer: Certificate, key: PreparedKey) {
            self.certificate = certificate
            self.issuer = issuer
            self.key = key
        }

        func isAbout(_ certificate: Certificate, signedBy issuer: Certificate) -> Bool {
            self.certificate == certificate && self.issuer.hasSameKey(as: issuer)
        }
    }

    /// Returns the entry for `certificate` under `issuer`'s key; nil if there is none.
    func entry(for certificate: Certificate, signedBy issuer: Certificate) -> Entry? {
        // The signature's last bytes are close to random.
        memory.entry(certificate.tail) { $0.isAbout(certificate, signedBy: issuer) }
    }

    /// Stores that `certificate` was verified with `issuer`'s key.
    func remember(_ certificate: Certificate, signedBy issuer: Certificate, key: PreparedKey) {
        guard Self.isSmall(certificate), Self.isSmall(issuer) else { return }
        memory.insert(Entry(certificate: certificate, issuer: issuer, key: key), certificate.tail) {
            $0.isAbout(certificate, signedBy: issuer)
        }
    }

    /// Removes all signatures.
    package func removeAll() {
        memory.removeAll()
        leaves?.removeAll()
    }

    /// The present number of remembered signatures.
    public var count: Int { memory.count + (leaves?.count ?? 0) }
}

// MARK: - Leaves of a batch

extension SignatureMemory {
    /// The number of bytes that are hashed for the entry of a leaf; nil for a pair that is never remembered.
    func hashedSize(of leaf: Certificate, signedBy issuer: Certificate) -> Int? {
        guard isForBatch, Self.isSmall(leaf), Self.isSmall(issuer) else { return nil }
        return leaf.storage.count + issuer.storage.fields.spki.whole.count
    }

    /// Whether the signature of `leaf` under `issuer`'s key is remembered; false outside of batches.
    func hasLeaf(_ leaf: Certificate, signedBy issuer: Certificate) -> Bool {
        guard let leaves, Self.isSmall(leaf), Self.isSmall(issuer) else { return false }
        let signature = LeafSignature(leaf, signedBy: issuer)
        return leaves.entry(signature.word) { $0 == signature } != nil
    }

    /// Stores that `leaf` was verified with `issuer`'s key.
    func rememberLeaf(_ leaf: Certificate, signedBy issuer: Certificate) {
        guard let leaves, Self.isSmall(leaf), Self.isSmall(issuer) else { return }
        let signature = LeafSignature(leaf, signedBy: issuer)
        leaves.insert(signature, signature.word) { $0 == signature }
    }

    private static func isSmall(_ certificate: Certificate) -> Bool {
        certificate.storage.count <= maximumCertificateSize
    }
}

extension Certificate {
    /// Whether both have the same SubjectPublicKeyInfo, byte for byte.
    package func hasSameKey(as other: Certificate) -> Bool {
        storage === other.storage
            || bytesEqual(
                span, storage.fields.spki.whole, other.span, other.storage.fields.spki.whole)
    }
}
