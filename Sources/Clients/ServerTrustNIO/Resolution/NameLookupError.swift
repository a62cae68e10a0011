// SPDX-License-Identifier: Apache-2.0

/// The reason why a name led to no address.
public struct NameLookupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors; raw values are stable.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The name has no address.
        case nameNotResolved
        /// No name server could be asked, or none knew an answer. The system's resolver doesn't say which.
        case nameServerFailed
        /// No answer in the time allowed.
        case nameLookupTimedOut
    }

    /// The kind of error.
    public let reason: Reason
    /// The name that was looked up.
    public let name: String
    /// For people; wording may change.
    package let detail: String

    package init(_ reason: Reason, name: String, detail: String = "") {
        self.reason = reason
        self.name = name
        self.detail = detail
    }

    public var description: String {
        let text =
            switch reason {
            case .nameNotResolved: "no address was found for \(name)"
            case .nameServerFailed: "no name server gave an answer about \(name)"
            case .nameLookupTimedOut: "no name server gave an answer about \(name) within the time allowed"
            }
        return detail.isEmpty ? text : "\(text) (\(detail))"
    }
}
