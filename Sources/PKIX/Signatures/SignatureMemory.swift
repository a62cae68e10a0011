// What was verified once is remembered: that this certificate was signed by this key.
//
// An entry is compared byte for byte, issuer key and certificate both, so a collision of the hash can make the memory
// forget but never make it lie. Only good signatures are remembered; no date, name or constraint is, so nothing in here
// ever becomes stale. Along with the fact goes the certificate's own key, prepared for use: it is the key with which the
// next certificate down is verified, and for RSA preparing it costs a third of that verification.

/// A bounded memory of verified signatures, shared by any number of threads.
public final class SignatureMemory: Sendable {
    /// Certificates per shard slot set: an entry evicts the least recently used of its four.
    private static let ways = 4
    /// Locks; a power of two. 16 keeps 8 threads apart most of the time.
    private static let shardCount = 16

    private let shards: [Locked<Shard>]
    private let seed: UInt64

    /// How many signatures are remembered at most.
    public let capacity: Int

    /// Certificates larger than this aren't remembered, so that hostile ones can't fill the memory with megabytes.
    static let maximumCertificateSize = 16 * 1024

    /// Whether signatures of leaves are remembered too.
    public let includesLeaves: Bool

    /// - Parameters:
    ///   - capacity: rounded up to a multiple of 64. The default, 1024, is about the number of intermediates of the
    ///     public web and takes some 4 MB when full (certificate and issuer, exact).
    ///   - includesLeaves: true for a client that meets the same servers again; false where every leaf comes once, as with
    ///     a server's clients, and would only push out the intermediates.
    public init(capacity: Int = 1024, includesLeaves: Bool = true) {
        self.includesLeaves = includesLeaves
        let unit = Self.ways * Self.shardCount
        let sets = max(1, (capacity + unit - 1) / unit)
        self.capacity = sets * unit
        self.seed = UInt64.random(in: .min ... .max)
        self.shards = (0..<Self.shardCount).map { _ in
            Locked(Shard(entries: Array(repeating: nil, count: sets * Self.ways)))
        }
    }

    /// The memory that all validators share unless told otherwise.
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

    private struct Shard {
        var entries: [Entry?]
    }

    /// What is remembered about `certificate` under `issuer`'s key, nil if nothing.
    func entry(for certificate: Certificate, signedBy issuer: Certificate) -> Entry? {
        let (shard, set) = place(of: certificate)
        return shards[shard].withLock { shard in
            for way in set..<(set + Self.ways) {
                guard let entry = shard.entries[way], entry.isAbout(certificate, signedBy: issuer) else { continue }
                // To the front, so that the last of the four is the one unused for longest.
                if way > set { shard.entries.swapAt(way, way - 1) }
                return entry
            }
            return nil
        }
    }

    /// Remembers that `certificate` was verified with `issuer`'s key.
    func remember(_ certificate: Certificate, signedBy issuer: Certificate, key: PreparedKey) {
        guard certificate.storage.count <= Self.maximumCertificateSize,
            issuer.storage.count <= Self.maximumCertificateSize
        else { return }
        let (shard, set) = place(of: certificate)
        let entry = Entry(certificate: certificate, issuer: issuer, key: key)
        shards[shard].withLock { shard in
            for way in set..<(set + Self.ways) {
                if let known = shard.entries[way], known.isAbout(certificate, signedBy: issuer) { return }
            }
            for way in ((set + 1)..<(set + Self.ways)).reversed() { shard.entries[way] = shard.entries[way - 1] }
            shard.entries[set] = entry
        }
    }

    /// Forgets everything.
    public func removeAll() {
        for shard in shards {
            shard.withLock { shard in
                for index in shard.entries.indices { shard.entries[index] = nil }
            }
        }
    }

    /// How many signatures are remembered now.
    public var count: Int {
        shards.reduce(0) { sum, shard in sum + shard.withLock { $0.entries.count { $0 != nil } } }
    }

    private func place(of certificate: Certificate) -> (shard: Int, set: Int) {
        // The signature is as good as random; the seed keeps a sender of certificates from choosing the set.
        var hash = (seed ^ certificate.tail) &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 32
        let sets = capacity / (Self.ways * Self.shardCount)
        return (Int(hash & UInt64(Self.shardCount - 1)), Int((hash >> 8) % UInt64(sets)) * Self.ways)
    }
}

extension Certificate {
    /// Whether both have the same SubjectPublicKeyInfo, byte for byte.
    func hasSameKey(as other: Certificate) -> Bool {
        storage === other.storage
            || bytesEqual(
                span, storage.fields.spki.whole, other.span, other.storage.fields.spki.whole)
    }
}
