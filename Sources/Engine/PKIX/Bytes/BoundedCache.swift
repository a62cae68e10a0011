// SPDX-License-Identifier: Apache-2.0

/// A cache of fixed size. Any number of threads can share it.
///
/// A new entry evicts the least recently used of the four entries in its place. The cache doesn't compare keys. The
/// caller compares everything that matters, so a hash collision can lose an entry but never return a wrong one. Other
/// modules inline the search, because unspecialized code takes longer than the search itself.
@usableFromInline package final class BoundedCache<Entry: Sendable>: Sendable {
    /// The number of entries per place.
    @inlinable static var ways: Int { 4 }
    /// The number of locks, a power of two. With 16 locks, 8 threads rarely wait for one another.
    @inlinable static var shardCount: Int { 16 }

    @usableFromInline let shards: [Locked<[Entry?]>]
    @usableFromInline let seed: UInt64

    /// The largest number of entries.
    @usableFromInline let capacity: Int

    /// - Parameter capacity: the number of entries, rounded up to a multiple of 64. The maximum is 2²⁴.
    package init(capacity: Int) {
        let unit = Self.ways * Self.shardCount
        let sets = max(1, (min(max(0, capacity), 1 << 24) + unit - 1) / unit)
        self.capacity = sets * unit
        self.seed = UInt64.random(in: .min ... .max)
        self.shards = (0..<Self.shardCount).map { _ in Locked(Array(repeating: nil, count: sets * Self.ways)) }
    }

    /// Returns the entry with this `word` that `isMatch` accepts, or nil.
    /// - Parameter word: a nearly random number that is equal for equal keys. The place also depends on a random seed,
    ///   so an attacker who chooses words can't choose the place.
    @inlinable package func entry(_ word: UInt64, where isMatch: (Entry) -> Bool) -> Entry? {
        let (shard, set) = place(of: word)
        return shards[shard].withLock { entries in
            for way in set..<(set + Self.ways) {
                guard let entry = entries[way], isMatch(entry) else { continue }
                // Move the entry to the front, so that the last of the four is the least recently used.
                if way > set {
                    for other in (set + 1...way).reversed() { entries[other] = entries[other - 1] }
                    entries[set] = entry
                }
                return entry
            }
            return nil
        }
    }

    /// Stores `entry`. Replaces an entry that `isSame` accepts, if there is one.
    @inlinable package func insert(_ entry: Entry, _ word: UInt64, replacing isSame: (Entry) -> Bool) {
        let (shard, set) = place(of: word)
        shards[shard].withLock { entries in
            for way in set..<(set + Self.ways) {
                if let known = entries[way], isSame(known) {
                    entries[way] = entry
                    return
                }
            }
            for way in ((set + 1)..<(set + Self.ways)).reversed() { entries[way] = entries[way - 1] }
            entries[set] = entry
        }
    }

    /// Removes all entries.
    package func removeAll() {
        for shard in shards {
            shard.withLock { entries in
                for index in entries.indices { entries[index] = nil }
            }
        }
    }

    /// The current number of entries.
    package var count: Int {
        shards.reduce(0) { sum, shard in sum + shard.withLock { entries in entries.count { $0 != nil } } }
    }

    @inlinable func place(of word: UInt64) -> (shard: Int, set: Int) {
        var hash = (seed ^ word) &* 0x9e37_79b9_7f4a_7c15
        hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
        hash ^= hash >> 32
        let sets = capacity / (Self.ways * Self.shardCount)
        return (Int(hash & UInt64(Self.shardCount - 1)), Int((hash >> 8) % UInt64(sets)) * Self.ways)
    }
}
