// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A list of Certificate Transparency logs: their keys, operators and states.
///
/// A list is the caller's: none is built in, and none is fetched. Chrome's list may not be used for enforcement in other clients without
/// permission; Mozilla's and Apple's are open, and an organization can have its own.
public struct CTLogList: Sendable, Hashable {
    /// One log.
    package struct Log: Sendable {
        /// The log's name, for people.
        package let description: String
        /// The key, with the identifier that is computed from it.
        package let key: TransparencyLogKey
        /// The state in which the list has the log.
        package let state: State
        /// The dates of expiry of the certificates that the log takes; nil for all.
        package let shard: Shard?
        /// Whether the log is one of tiles (static-ct-api); otherwise it is one of RFC 6962.
        package let isTiled: Bool
        /// The operator today.
        let operatorName: String
        /// The operators before, each with the end of its time, the earliest first.
        let previousOperators: [PreviousOperator]

        /// Returns the log's operator at a date.
        package func operatorName(at time: Time) -> String {
            previousOperators.first { time < $0.end }?.name ?? operatorName
        }
    }

    /// A half-open interval of dates of expiry.
    package struct Shard: Sendable, Hashable {
        /// The first date.
        package let start: Time
        /// The date behind the last one.
        package let end: Time

        /// Whether the log takes certificates that end then.
        package func contains(_ time: Time) -> Bool { start <= time && time < end }
    }

    struct PreviousOperator: Sendable, Hashable {
        let name: String
        let end: Time
    }

    /// The state of a log, with the date from which it has it.
    package struct State: Sendable, Hashable {
        /// The kinds of states; raw values are those of log lists.
        package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            case pending, qualified, usable, readonly, retired, rejected
        }

        /// The kind.
        package let kind: Kind
        /// The date of the beginning.
        package let since: Time
    }

    /// SHA-256 of the list's bytes.
    package let digest: [UInt8]

    /// The version that the list states; nil for none.
    package let version: String?

    /// The date of the list.
    public let date: Time

    /// The logs by their identifiers, computed from their keys.
    package let logs: [[UInt8]: Log]

    /// Logs of the list that are left out, each with the reason, for people.
    public let warnings: [String]

    /// The number of logs whose private keys are public. A list with one of them is made for breakage, not for enforcement.
    package let mimicCount: Int

    /// The number of logs.
    public var count: Int { logs.count }

    /// Compares bytes, by their digests.
    public static func == (left: CTLogList, right: CTLogList) -> Bool { left.digest == right.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// The identifiers of logs whose private keys are public, so that their timestamps prove nothing: SHA-256 of `mimic1` and `mimic2` of
    /// the frozen lists for libraries.
    package static let mimics: Set<[UInt8]> = Set(
        ["9EGV1vAOLbVUNcrdV3iS5T4VrUFwWPh44U/2uRh0FYk=", "si9+3rWvav5QPeBAgbLXTBJThJL+3yyypSZQPO9TztI="]
            .compactMap { try? Base64.decode($0) })
}
