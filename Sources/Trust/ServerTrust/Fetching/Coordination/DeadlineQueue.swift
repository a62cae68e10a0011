// SPDX-License-Identifier: Apache-2.0

/// A queue of deadlines, earliest first, as a binary heap.
struct DeadlineQueue<Element> {
    typealias Instant = ContinuousClock.Instant

    private var heap: [(deadline: Instant, element: Element)] = []

    var count: Int { heap.count }

    /// The earliest deadline, or nil if the queue is empty.
    var next: Instant? { heap.first?.deadline }

    mutating func insert(_ element: Element, at deadline: Instant) {
        heap.append((deadline, element))
        var index = heap.count - 1
        while index > 0, heap[index].deadline < heap[(index - 1) / 2].deadline {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the element with the earliest deadline if that deadline has passed at `now`.
    mutating func popFirst(at now: Instant) -> Element? {
        guard let first = heap.first, first.deadline <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            let left = 2 * index + 1
            guard left < heap.count else { break }
            let right = left + 1
            let least = right < heap.count && heap[right].deadline < heap[left].deadline ? right : left
            guard heap[least].deadline < heap[index].deadline else { break }
            heap.swapAt(index, least)
            index = least
        }
        return first.element
    }

    /// Removes all elements that meet a condition.
    mutating func removeAll(where isOver: (Element) -> Bool) {
        let rest = heap.filter { !isOver($0.element) }
        heap.removeAll(keepingCapacity: true)
        for (deadline, element) in rest { insert(element, at: deadline) }
    }
}
