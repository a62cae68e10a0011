// SPDX-License-Identifier: Apache-2.0

/// A dictionary with a limited total cost, for example in bytes. An insertion evicts the least recently used values.
///
/// Every operation except ``removeAll(where:)`` takes constant time. An insertion takes constant time for each evicted
/// value.
package struct LeastRecentlyUsedCache<Key: Hashable, Value> {
    fileprivate struct Slot {
        let key: Key
        let value: Value
        let cost: Int
        /// The adjacent places, toward the most and the least recently used value.
        var newer: Int?
        var older: Int?
    }

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [Key: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    /// The maximum total cost.
    let capacity: Int
    /// The sum of the costs of all values.
    package private(set) var cost = 0

    package init(capacity: Int) { self.capacity = capacity }

    package var count: Int { places.count }

    /// All values, in no particular order.
    package var values: [Value] { slots.compactMap { $0?.value } }

    /// Returns the value for a key, and marks it as used.
    package mutating func value(for key: Key) -> Value? {
        guard let place = places[key], let slot = slots[place] else { return nil }
        unlink(place)
        link(place)
        return slot.value
    }

    /// Returns the value for a key without marking it as used.
    package func unusedValue(for key: Key) -> Value? { places[key].flatMap { slots[$0]?.value } }

    /// Stores a value as the most recently used, and replaces the value for the same key.
    ///
    /// Doesn't store a value that costs more than the capacity, but still removes the value for the same key.
    /// - Parameter cost: the value's cost, at least 0.
    /// - Returns: the evicted values, without the replaced value.
    @discardableResult
    package mutating func insert(_ value: Value, for key: Key, cost: Int = 1) -> [Value] {
        remove(key)
        let cost = max(0, cost)
        guard cost <= capacity else { return [] }
        var evicted: [Value] = []
        // The difference can't overflow, but a sum could.
        while self.cost > capacity - cost, let oldest, let slot = slots[oldest] {
            remove(slot.key)
            evicted.append(slot.value)
        }
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(nil) }
        slots[place] = Slot(key: key, value: value, cost: cost)
        places[key] = place
        self.cost += cost
        link(place)
        return evicted
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key), let slot = slots[place] else { return nil }
        unlink(place)
        cost -= slot.cost
        slots[place] = nil
        free.append(place)
        return slot.value
    }

    /// Removes the values whose keys meet a condition.
    package mutating func removeAll(where isRemoved: (Key) -> Bool) {
        for key in places.keys where isRemoved(key) { remove(key) }
    }

    package mutating func removeAll() { self = Self(capacity: capacity) }

    /// Makes a place the most recently used.
    private mutating func link(_ place: Int) {
        slots[place]?.newer = nil
        slots[place]?.older = newest
        if let newest { slots[newest]?.newer = place } else { oldest = place }
        newest = place
    }

    private mutating func unlink(_ place: Int) {
        guard let slot = slots[place] else { return }
        if let newer = slot.newer { slots[newer]?.older = slot.older } else { newest = slot.older }
        if let older = slot.older { slots[older]?.newer = slot.newer } else { oldest = slot.newer }
    }
}

extension LeastRecentlyUsedCache: Sendable where Key: Sendable, Value: Sendable {}

extension LeastRecentlyUsedCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
