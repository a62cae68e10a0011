// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PKIX

@Suite("Bounded cache")
struct BoundedCacheTests {
    private final class Entry: Sendable {
        let key: Int
        let value: Int
        init(_ key: Int, _ value: Int = 0) {
            self.key = key
            self.value = value
        }
    }

    private func insert(_ entry: Entry, _ word: UInt64, into memory: BoundedCache<Entry>) {
        memory.insert(entry, word) { $0.key == entry.key }
    }

    private func find(_ key: Int, _ word: UInt64, in memory: BoundedCache<Entry>) -> Entry? {
        memory.entry(word) { $0.key == key }
    }

    @Test(
        "The cache rounds its capacity up to a multiple of 64",
        arguments: [(0, 64), (1, 64), (64, 64), (65, 128), (1024, 1024), (-5, 64), (.min, 64)] as [(Int, Int)])
    func capacity(asked: Int, given: Int) {
        let memory = BoundedCache<Entry>(capacity: asked)
        #expect(memory.capacity == given)
        #expect(memory.count == 0)
    }

    @Test("A cache has at most 2²⁴ entries")
    func largestCapacity() {
        // Entries without a size need little memory.
        #expect(BoundedCache<Never>(capacity: .max).capacity == 1 << 24)
    }

    @Test("Looking up an inserted entry by its word returns the same object")
    func finds() {
        let memory = BoundedCache<Entry>(capacity: 64)
        #expect(find(1, 1, in: memory) == nil)
        let entry = Entry(1)
        insert(entry, 1, into: memory)
        #expect(find(1, 1, in: memory) === entry)
        #expect(memory.count == 1)
        memory.removeAll()
        #expect(memory.count == 0 && find(1, 1, in: memory) == nil)
    }

    @Test("An equal word isn't enough: the caller compares the entries")
    func collisions() {
        let memory = BoundedCache<Entry>(capacity: 64)
        for key in 0..<4 { insert(Entry(key), 7, into: memory) }
        for key in 0..<4 { #expect(find(key, 7, in: memory)?.key == key) }
        #expect(find(4, 7, in: memory) == nil)
        #expect(memory.entry(7) { _ in false } == nil)
        #expect(memory.count == 4)
    }

    @Test("An equal entry replaces the old one")
    func replaces() {
        let memory = BoundedCache<Entry>(capacity: 64)
        for key in 0..<4 { insert(Entry(key), 7, into: memory) }
        for key in 0..<4 {
            insert(Entry(key, 1), 7, into: memory)
            #expect(memory.count == 4)
            for other in 0..<4 { #expect(find(other, 7, in: memory)?.value == (other <= key ? 1 : 0)) }
        }
    }

    @Test("Of five entries in a set of four, the cache evicts the one that was never used")
    func evictsOldest() {
        let memory = BoundedCache<Entry>(capacity: 64)
        for key in 0..<5 { insert(Entry(key), 7, into: memory) }
        #expect(memory.count == 4)
        #expect(find(0, 7, in: memory) == nil)
        for key in 1..<5 { #expect(find(key, 7, in: memory) != nil) }
    }

    @Test("The cache evicts the most recently used entry last", arguments: 0..<4)
    func evictsLeastRecentlyUsed(used: Int) {
        let memory = BoundedCache<Entry>(capacity: 64)
        for key in 0..<4 { insert(Entry(key), 7, into: memory) }
        #expect(find(used, 7, in: memory) != nil)
        var order = Array(0..<4).filter { $0 != used } + [used]
        for key in 4..<8 {
            insert(Entry(key), 7, into: memory)
            let evicted = order.removeFirst()
            // Calling `entry` would count as a use, so this lists the entries with a predicate that accepts none.
            var present: Set<Int> = []
            _ = memory.entry(7) { entry in
                present.insert(entry.key)
                return false
            }
            #expect(!present.contains(evicted))
            #expect(present.isSuperset(of: order))
        }
    }

    @Test("The cache never exceeds its capacity, and random words fill most of it", arguments: [64, 256])
    func bounded(capacity: Int) {
        let memory = BoundedCache<Entry>(capacity: capacity)
        var random = Repeatable(1)
        for key in 0..<(capacity * 10) {
            let word = random.next()
            insert(Entry(key), word, into: memory)
            #expect(find(key, word, in: memory)?.key == key)
            #expect(memory.count <= capacity)
        }
        #expect(memory.count > capacity * 3 / 4)
    }

    @Test("Words that differ in few bits map to different sets", arguments: [0, 8, 32, 56])
    func spread(shift: Int) {
        let memory = BoundedCache<Entry>(capacity: 1024)
        for key in 0..<256 { insert(Entry(key), UInt64(key) << UInt64(shift), into: memory) }
        #expect(memory.count > 200)
    }

    @Test("An attacker who chooses words can't choose the set, because it differs from cache to cache")
    func seeded() {
        // Words that all map to one set of one cache.
        var words: [UInt64] = []
        let probe = BoundedCache<Entry>(capacity: 64)
        var random = Repeatable(2)
        while words.count < 8 {
            probe.removeAll()
            insert(Entry(0), 1, into: probe)
            let word = random.next()
            for key in 1...4 { insert(Entry(key), word, into: probe) }
            if find(0, 1, in: probe) == nil { words.append(word) }
        }
        let survivors = (0..<20).filter { _ in
            let memory = BoundedCache<Entry>(capacity: 64)
            insert(Entry(0), 1, into: memory)
            for (key, word) in words.enumerated() { insert(Entry(key + 1), word, into: memory) }
            return find(0, 1, in: memory) != nil
        }
        #expect(!survivors.isEmpty)
    }

    @Test("Eight tasks that insert, search and remove never find an entry other than the one they search for")
    func concurrency() async {
        let memory = BoundedCache<Entry>(capacity: 128)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var wrong = 0
                    for round in 0..<3000 {
                        let key = (round * 13 + task * 7) % 300
                        // Several keys for each word, so that they share sets.
                        let word = UInt64(key / 3) &* 0x9e37_79b9_7f4a_7c15
                        if let found = memory.entry(word, where: { $0.key == key }), found.value != key * 2 {
                            wrong += 1
                        }
                        memory.insert(Entry(key, key * 2), word) { $0.key == key }
                        if memory.count > memory.capacity { wrong += 1 }
                        if round % 500 == 499 { memory.removeAll() }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
    }
}
