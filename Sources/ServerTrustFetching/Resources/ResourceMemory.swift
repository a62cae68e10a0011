// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What was fetched, up to so many bytes; what was unused for longest goes first. Belongs to one actor.
struct ResourceMemory {
    private struct Slot {
        var held: HeldResource
        /// What it took the place of, in case that it is rejected.
        var before: HeldResource?
        var cost: Int { held.cost + (before?.cost ?? 0) }
        /// Towards the most and the least recently used.
        var newer: Int?
        var older: Int?
    }

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var places: [TrustResource: Int] = [:]
    private var newest: Int?
    private var oldest: Int?

    let capacity: Int
    private(set) var bytes = 0
    var count: Int { places.count }

    /// - Parameter capacity: in bytes.
    init(capacity: Int) { self.capacity = capacity }

    /// What is kept for a resource, which counts as use.
    mutating func held(_ resource: TrustResource) -> HeldResource? {
        guard let place = places[resource], let slot = slots[place] else { return nil }
        unlink(place)
        link(place)
        return slot.held
    }

    /// What the one that is kept has taken the place of.
    func before(_ resource: TrustResource) -> HeldResource? { places[resource].flatMap { slots[$0]?.before } }

    /// Keeps it, in the place of what is kept for the same resource. What alone is over the capacity isn't kept.
    /// - Parameter before: kept along with it, if both together take no more than half of the capacity.
    mutating func insert(_ held: HeldResource, before: HeldResource? = nil) {
        remove(held.entry.resource)
        guard held.cost <= capacity else { return }
        var slot = Slot(held: held)
        if let before, held.cost + before.cost <= capacity / 2 { slot.before = before }
        while bytes + slot.cost > capacity, let oldest, let last = slots[oldest] { remove(last.held.entry.resource) }
        let place = free.popLast() ?? slots.count
        if place == slots.count { slots.append(nil) }
        slots[place] = slot
        places[held.entry.resource] = place
        bytes += slot.cost
        link(place)
    }

    mutating func remove(_ resource: TrustResource) {
        guard let place = places.removeValue(forKey: resource), let slot = slots[place] else { return }
        unlink(place)
        bytes -= slot.cost
        slots[place] = nil
        free.append(place)
    }

    mutating func removeAll() { self = ResourceMemory(capacity: capacity) }

    /// As the most recently used.
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
