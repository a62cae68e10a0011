// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// The time when a rule's pins expire, and what happens afterward.
public struct PinExpiry: Sendable, Hashable {
    /// The effect of the expiry.
    public enum OnExpiry: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hosts count as unpinned, as in TrustKit and Android. In JSON, `unpinned`.
        case failOpen = "unpinned"
        /// The hosts are refused. In JSON, `refused`.
        case failClosed = "refused"
    }

    /// The last second at which the pins apply. A date without a time means the first second of that day in UTC.
    public var time: Time
    /// The effect of the expiry.
    public var onExpiry: OnExpiry

    /// Creates an expiry at a time.
    package init(_ time: Time, onExpiry: OnExpiry) {
        self.time = time
        self.onExpiry = onExpiry
    }

    /// Returns whether the expiry is before `now`.
    public func hasPassed(at now: Time) -> Bool { now > time }
}

extension PinExpiry: CustomStringConvertible {
    /// `2027-03-31T00:00:00Z, then unpinned`
    public var description: String { "\(time), then \(onExpiry.rawValue)" }
}
