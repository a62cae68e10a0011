// SPDX-License-Identifier: Apache-2.0

/// A port that can't be listened on.
public struct LabPortError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why not. The set grows.
    public enum Reason: Sendable, Hashable {
        /// Somebody else listens on it.
        case inUse
        /// Below 1024, as a rule.
        case notPermitted
        /// The system's own words.
        case other(String)
    }

    public let address: LabServer.Address
    /// 0 if any would have done.
    public let port: Int
    public let reason: Reason

    public var description: String {
        let what =
            switch reason {
            case .inUse: "is in use"
            case .notPermitted: "may not be listened on"
            case .other(let text): "can not be listened on: \(text)"
            }
        return "port \(port) of \(address.rawValue) \(what)"
    }
}
