// SPDX-License-Identifier: Apache-2.0

/// Fetched resources, up to a number of bytes. The least recently used resource is evicted first. Belongs to one actor.
struct ResourceMemory {
    private struct Slot {
        let held: HeldResource
        /// The resource that this one replaced, kept in case this one is rejected.
        var before: HeldResource?
        var cost: Int { held.cost + (before?.cost ?? 0) }
    }

    private var slots: LeastRecentlyUsedCache<TrustResource, Slot>

    var capacity: Int { slots.capacity }
    var bytes: Int { slots.cost }
    var count: Int { slots.count }

    /// Creates an empty memory.
    /// - Parameter capacity: the capacity in bytes.
    init(capacity: Int) { self.slots = LeastRecentlyUsedCache(capacity: capacity) }

    /// Returns the entry of a resource and marks it as used.
    mutating func held(_ resource: TrustResource) -> HeldResource? { slots.value(for: resource)?.held }

    /// Returns the entry that the current entry replaced.
    func before(_ resource: TrustResource) -> HeldResource? { slots.unusedValue(for: resource)?.before }

    /// Adds an entry, which replaces the entry for the same resource. An entry larger than the capacity isn't kept.
    /// - Parameter before: the replaced entry. It is also kept if both together take at most half of the capacity.
    mutating func insert(_ held: HeldResource, before: HeldResource? = nil) {
        var slot = Slot(held: held)
        if let before, held.cost + before.cost <= capacity / 2 { slot.before = before }
        slots.insert(slot, for: held.entry.resource, cost: slot.cost)
    }

    mutating func remove(_ resource: TrustResource) { slots.remove(resource) }

    mutating func removeAll() { slots.removeAll() }
}
