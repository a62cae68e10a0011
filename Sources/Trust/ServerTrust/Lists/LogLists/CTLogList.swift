// SPDX-License-Identifier: Apache-2.0

import PKIX

/// A list of Certificate Transparency logs: their keys, operators and states.
///
/// You supply the list. The package neither contains nor fetches one. Other clients may not use Chrome's list for
/// enforcement without permission. Mozilla's and Apple's lists are open, and an organization can publish its own.
public struct CTLogList: Sendable, Hashable {
    /// One log.
    package struct Log: Sendable {
        /// The log's name, for people.
        package let description: String
        /// The key, with the identifier computed from it.
        package let key: TransparencyLogKey
        /// The state of the log in the list.
        package let state: State
        /// The expiry dates of the certificates that the log accepts, or nil if it accepts all.
        package let shard: Shard?
        /// Whether the log uses tiles (static-ct-api) instead of RFC 6962.
        package let isTiled: Bool
        /// The key in DER, as the list contains it.
        let publicKey: [UInt8]
        /// The current operator.
        let currentOperator: String
        /// The previous operators, each with the date when it stopped, earliest first.
        let previousOperators: [PreviousOperator]

        /// Returns the log's operator at a date.
        package func operatorName(at time: Time) -> String {
            previousOperators.first { time < $0.end }?.name ?? currentOperator
        }
    }

    /// A half-open interval of expiry dates.
    package struct Shard: Sendable, Hashable {
        /// The first date.
        package let start: Time
        /// The end of the interval, which isn't part of it.
        package let end: Time

        /// Whether the log accepts certificates that expire at a date.
        func contains(_ time: Time) -> Bool { start <= time && time < end }
    }

    struct PreviousOperator: Sendable, Hashable {
        package let name: String
        let end: Time
    }

    /// The state of a log, with the date when it began.
    package struct State: Sendable, Hashable {
        /// The kinds of states. Raw values are those of log lists.
        package enum Kind: String, Sendable, Hashable, CaseIterable, Codable {
            case pending, qualified, usable, readonly, retired, rejected
        }

        /// The kind.
        package let kind: Kind
        /// The date when the state began.
        package let since: Time
    }

    /// The SHA-256 of the list's bytes.
    let digest: [UInt8]

    /// The version that the list states, or nil if it states none.
    package let version: String?

    /// The date of the list.
    public let date: Time

    /// The logs by their identifiers, computed from their keys.
    package let logs: [[UInt8]: Log]

    /// Logs that the reader skipped, each with the reason, for people.
    public let warnings: [String]

    /// The number of logs whose private keys are public. A list with such a log is for testing breakage, not for
    /// enforcement.
    let mimicCount: Int

    /// The number of logs.
    public var count: Int { logs.count }

    /// Compares the lists' bytes by their digests.
    public static func == (left: CTLogList, right: CTLogList) -> Bool { left.digest == right.digest }
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }

    /// The identifiers of logs whose private keys are public, so their timestamps prove nothing: SHA-256 of `mimic1`
    /// and `mimic2` in the frozen lists for libraries.
    package static let mimics: Set<[UInt8]> = Set(
        ["9EGV1vAOLbVUNcrdV3iS5T4VrUFwWPh44U/2uRh0FYk=", "si9+3rWvav5QPeBAgbLXTBJThJL+3yyypSZQPO9TztI="]
            .compactMap { try? Base64.decode($0) })
}
