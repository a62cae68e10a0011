// SPDX-License-Identifier: Apache-2.0

// Caches verified signatures. Each entry says that a certificate was signed with a key.
//
// A lookup compares both the issuer key and the certificate byte for byte, so a hash collision can lose an entry but
// never return a wrong one. The cache contains only good signatures, and no dates, names or constraints, so no entry
// becomes stale. An entry also contains the certificate's own key, prepared for verifying the next certificate down.
// For RSA, preparing the key costs a third of that verification. A batch has too many leaves for such entries, so for
// each leaf the cache stores only the SHA-256 of issuer key and leaf (LeafSignature.swift).

/// A bounded cache of verified signatures that any number of threads can share.
public final class SignatureMemory: Sendable {
    private let memory: BoundedCache<Entry>
    /// The signatures of leaves in the cache of a batch, or nil in other caches.
    private let leaves: BoundedCache<LeafSignature>?

    /// The largest number of signatures, not counting the separate signatures of leaves in the cache of a batch.
    var capacity: Int { memory.capacity }

    /// The largest certificate that is cached, in bytes. The limit keeps hostile certificates from filling the cache
    /// with megabytes.
    static let maximumCertificateSize = 16 * 1024

    /// Whether the cache includes signatures of leaves.
    let includesLeaves: Bool

    /// Whether this is the cache of a batch (``forBatch(leafCapacity:)``).
    var isForBatch: Bool { leaves != nil }

    /// Creates an empty cache.
    /// - Parameters:
    ///   - capacity: the largest number of signatures, rounded up to a multiple of 64. The default, 1024, is about the
    ///     number of intermediates of the public web and takes about 4 MB when full (certificate and issuer, exact).
    ///   - includesLeaves: whether to cache signatures of leaves. Pass true for a client that connects to the same
    ///     servers again. Pass false if every leaf appears only once, as with a server's clients, so that leaves don't
    ///     evict the intermediates.
    public init(capacity: Int = 1024, includesLeaves: Bool = true) {
        self.includesLeaves = includesLeaves
        self.memory = BoundedCache(capacity: capacity)
        self.leaves = nil
    }

    /// Creates the cache of a batch.
    private init(capacity: Int, leafCapacity: Int) {
        self.includesLeaves = true
        self.memory = BoundedCache(capacity: capacity)
        self.leaves = BoundedCache(capacity: leafCapacity)
    }

    /// Returns an empty cache for chains of many servers. With it, no path validation depends on earlier ones.
    ///
    /// Unlike other caches, it charges a cached signature to the budget as if it were verified. So the order of chains
    /// and the number of threads don't change any result. This also allows caching the signatures of rejected paths: a
    /// CA whose leaves are all expired is verified only once. (The author of many CAs can evict others, which are then
    /// verified again.) Leaves are cached separately, by digest, and evict no intermediates.
    /// - Parameter leafCapacity: the largest number of leaves, rounded up to a multiple of 64. The default, 262,144,
    ///   takes 10 MB from the beginning.
    package static func forBatch(leafCapacity: Int = 1 << 18) -> SignatureMemory {
        SignatureMemory(capacity: 1024, leafCapacity: leafCapacity)
    }

    /// The cache that all validators share by default.
    public static let shared = SignatureMemory()

    /// One cached signature: `certificate` verifies with the key of `issuer`.
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

    /// Returns the entry for `certificate` under `issuer`'s key, or nil if there isn't one.
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

    /// The current number of cached signatures.
    public var count: Int { memory.count + (leaves?.count ?? 0) }
}

// MARK: - Leaves of a batch

extension SignatureMemory {
    /// The number of bytes that are hashed for a leaf's entry, or nil if the pair is never cached.
    func hashedSize(of leaf: Certificate, signedBy issuer: Certificate) -> Int? {
        guard isForBatch, Self.isSmall(leaf), Self.isSmall(issuer) else { return nil }
        return leaf.storage.count + issuer.storage.fields.spki.whole.count
    }

    /// Whether the signature of `leaf` under `issuer`'s key is cached. False outside of batches.
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
