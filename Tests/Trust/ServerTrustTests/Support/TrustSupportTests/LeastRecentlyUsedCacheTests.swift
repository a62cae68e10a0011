// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import Testing

@Suite("Eviction of the least recently used entries")
struct LeastRecentlyUsedCacheTests {
    enum Step: Sendable {
        case insert(String, cost: Int = 1)
        case use(String)
        case inspect(String)
        case remove(String)
        case removeAll
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        let kept: Set<String>
        let evicted: [String]
        let cost: Int

        init(_ description: String, _ steps: [Step], kept: Set<String>, evicted: [String] = [], cost: Int) {
            self.testDescription = description
            self.steps = steps
            self.kept = kept
            self.evicted = evicted
            self.cost = cost
        }
    }

    @Test(
        "The total cost stays within a capacity of 3",
        arguments: [
            Row("nothing", [], kept: [], cost: 0),
            Row(
                "up to the capacity, all entries stay", [.insert("a"), .insert("b"), .insert("c")],
                kept: ["a", "b", "c"],
                cost: 3),
            Row(
                "one more entry evicts the first", [.insert("a"), .insert("b"), .insert("c"), .insert("d")],
                kept: ["b", "c", "d"], evicted: ["a"], cost: 3),
            Row(
                "a used entry stays", [.insert("a"), .insert("b"), .insert("c"), .use("a"), .insert("d")],
                kept: ["a", "c", "d"], evicted: ["b"], cost: 3),
            Row(
                "an inspected entry doesn't stay",
                [.insert("a"), .insert("b"), .insert("c"), .inspect("a"), .insert("d")],
                kept: ["b", "c", "d"], evicted: ["a"], cost: 3),
            Row(
                "using the newest entry changes nothing",
                [.insert("a"), .insert("b"), .insert("c"), .use("c"), .insert("d")], kept: ["b", "c", "d"],
                evicted: ["a"], cost: 3),
            Row(
                "a large entry evicts several, the oldest first",
                [.insert("a"), .insert("b"), .insert("c"), .insert("d", cost: 2)], kept: ["c", "d"],
                evicted: ["a", "b"], cost: 3),
            Row(
                "an entry as large as the capacity evicts all others",
                [.insert("a"), .insert("b"), .insert("d", cost: 3)],
                kept: ["d"], evicted: ["a", "b"], cost: 3),
            Row("an entry above the capacity isn't kept", [.insert("a"), .insert("d", cost: 4)], kept: ["a"], cost: 1),
            Row(
                "an entry whose cost overflows isn't kept", [.insert("a"), .insert("d", cost: .max)], kept: ["a"],
                cost: 1),
            Row(
                "an entry above the capacity removes its predecessor", [.insert("a"), .insert("a", cost: 4)], kept: [],
                cost: 0),
            Row(
                "an entry with the same key is replaced, not evicted",
                [.insert("a"), .insert("b"), .insert("a", cost: 2)],
                kept: ["a", "b"], cost: 3),
            Row(
                "a replaced entry is the newest",
                [.insert("a"), .insert("b"), .insert("c"), .insert("a"), .insert("d")], kept: ["a", "c", "d"],
                evicted: ["b"], cost: 3),
            Row(
                "a removed entry leaves room",
                [.insert("a"), .insert("b", cost: 2), .remove("b"), .insert("c", cost: 2)],
                kept: ["a", "c"], cost: 3),
            Row(
                "the oldest, the newest and a middle entry can be removed",
                [.insert("a"), .insert("b"), .insert("c"), .remove("b"), .remove("c"), .remove("a"), .insert("d")],
                kept: ["d"], cost: 1),
            Row("removing a missing entry changes nothing", [.insert("a"), .remove("b")], kept: ["a"], cost: 1),
            Row(
                "entries without cost evict nothing", [.insert("a", cost: 3), .insert("b", cost: 0)], kept: ["a", "b"],
                cost: 3),
            Row(
                "after all entries are removed, there is room", [.insert("a", cost: 3), .removeAll, .insert("b")],
                kept: ["b"],
                cost: 1),
        ])
    func eviction(_ row: Row) {
        var cache = LeastRecentlyUsedCache<String, String>(capacity: 3)
        var evicted: [String] = []
        for step in row.steps {
            switch step {
            case .insert(let key, let cost): evicted += cache.insert("value of \(key)", for: key, cost: cost)
            case .use(let key): #expect(cache.value(for: key) == "value of \(key)")
            case .inspect(let key): #expect(cache.unusedValue(for: key) == "value of \(key)")
            case .remove(let key): cache.remove(key)
            case .removeAll: cache.removeAll()
            }
        }
        #expect(Set(cache.values) == Set(row.kept.map { "value of \($0)" }))
        #expect(cache.count == row.kept.count)
        #expect(evicted == row.evicted.map { "value of \($0)" })
        #expect(cache.cost == row.cost)
    }

    @Test("A capacity of 0 keeps nothing") func noCapacity() {
        var cache = LeastRecentlyUsedCache<Int, Int>(capacity: 0)
        #expect(cache.insert(1, for: 1).isEmpty)
        #expect(cache.count == 0)
    }

    @Test("A condition removes the keys that meet it") func removalByCondition() {
        var cache = LeastRecentlyUsedCache<Int, Int>(capacity: 100)
        for number in 0..<100 { cache.insert(number, for: number) }
        cache.removeAll { !$0.isMultiple(of: 10) }
        #expect(Set(cache.values) == Set(stride(from: 0, to: 100, by: 10)))
        #expect(cache.cost == 10)
    }

    @Test("After 20,000 operations, the contents equal those of a simple list") func agreesWithAList() {
        var cache = LeastRecentlyUsedCache<Int, Int>(capacity: 50)
        // The least recently used entry is first.
        var list: [(key: Int, cost: Int)] = []
        var state: UInt64 = 1
        func random(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<20_000 {
            let key = random(40)
            let known = list.firstIndex { $0.key == key }.map { list.remove(at: $0) }
            switch random(4) {
            case 0: #expect((cache.remove(key) == nil) == (known == nil))
            case 1:
                #expect((cache.value(for: key) == nil) == (known == nil))
                if let known { list.append(known) }
            default:
                let cost = random(9)
                while list.map(\.cost).reduce(0, +) + cost > 50 { list.removeFirst() }
                list.append((key, cost))
                cache.insert(key, for: key, cost: cost)
            }
        }
        #expect(Set(cache.values) == Set(list.map(\.key)))
        #expect(cache.cost == list.map(\.cost).reduce(0, +))
    }
}
