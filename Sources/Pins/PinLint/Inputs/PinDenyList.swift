// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Keys that must not be pinned, because they are compromised or withdrawn.
///
/// A new list is empty; ``knownCompromised`` is not. Add keys that a CA or a vendor announces, and your own.
public struct PinDenyList: Sendable, Hashable {
    private var reasons: [SPKIPin: String] = [:]

    /// Creates an empty list.
    public init() {}

    /// Adds a key.
    /// - Parameters:
    ///   - pin: the pin of the key.
    ///   - reason: the reason, for people; empty for none.
    public mutating func deny(_ pin: SPKIPin, reason: String = "") { reasons[pin] = reason }

    /// Adds keys without a reason.
    package mutating func deny(_ pins: some Sequence<SPKIPin>) {
        for pin in pins where reasons[pin] == nil { reasons[pin] = "" }
    }

    /// Whether the list is empty.
    package var isEmpty: Bool { reasons.isEmpty }
    /// The number of keys.
    package var count: Int { reasons.count }

    /// Returns the reason against a key, empty if none was given; nil if the key is not on the list.
    package func reason(against pin: SPKIPin) -> String? { reasons[pin] }
}
