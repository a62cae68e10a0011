// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// Until when a rule's pins count, and what holds afterwards. There is no expiry that doesn't say what comes after it.
public struct PinExpiry: Sendable, Hashable {
    /// What holds once the time has passed.
    public enum Afterwards: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hosts count as not pinned: fails open. TrustKit's and Android's way.
        case unpinned
        /// The hosts are refused: fails closed.
        case refused
    }

    /// The last second at which the pins count. A format that has days alone means the first second of that day in UTC.
    public var time: Time
    public var afterwards: Afterwards

    public init(_ time: Time, afterwards: Afterwards) {
        self.time = time
        self.afterwards = afterwards
    }

    /// Whether the pins don't count any more.
    public func hasPassed(at now: Time) -> Bool { now > time }
}
