// SPDX-License-Identifier: Apache-2.0

import PinModel
import ServerTrust

/// Keys that nobody may pin: because somebody else has them, or because they were withdrawn.
///
/// Empty unless filled; ``knownCompromised`` has some. Add what a CA or a vendor gives notice of, and keys of one's own.
public struct PinDenyList: Sendable, Hashable {
    private var reasons: [SPKIPin: String] = [:]

    public init() {}

    /// - Parameters:
    ///   - pin: the key.
    ///   - reason: why, for people; empty for no word about it.
    public mutating func deny(_ pin: SPKIPin, reason: String = "") { reasons[pin] = reason }

    public mutating func deny(_ pins: some Sequence<SPKIPin>) {
        for pin in pins where reasons[pin] == nil { reasons[pin] = "" }
    }

    public var isEmpty: Bool { reasons.isEmpty }
    public var count: Int { reasons.count }

    /// Why the key is denied; nil if it isn't.
    public func reason(against pin: SPKIPin) -> String? { reasons[pin] }
}
