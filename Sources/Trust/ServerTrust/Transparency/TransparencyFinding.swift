// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of comparing a certificate's timestamps with a policy.
public struct TransparencyFinding: Sendable, Hashable, Codable {
    /// The kinds of results. Raw values are stable.
    public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// The timestamps are sufficient.
        case complies
        /// Too few timestamps count.
        case notEnough = "notEnoughSCTs"
        /// The timestamps that count are from too few operators.
        case notDiverse
        /// No timestamp is from a log in use.
        case noneInUse = "noApprovedSCTNow"
        /// No timestamp is from an RFC 6962 log, but the policy requires one.
        case noRFC6962Log
        /// Not checked: the list of logs is older than the policy allows.
        case listOutOfDate = "logListOutOfDate"
        /// Not checked: there is no list of logs.
        case noLogList
        /// Not checked: the anchor doesn't belong to a root program. Only certificates below such anchors must be
        /// published.
        case anchorNotPublic
        /// Not checked: the host is exempt.
        case hostExempt

        /// Whether the timestamps were compared with the policy.
        package var isChecked: Bool {
            switch self {
            case .complies, .notEnough, .notDiverse, .noneInUse, .noRFC6962Log: true
            case .listOutOfDate, .noLogList, .anchorNotPublic, .hostExempt: false
            }
        }
    }

    /// A timestamp and how it contributes to the result.
    public struct Timestamp: Sendable, Hashable, Codable {
        /// The reason why a timestamp doesn't count. Raw values are stable.
        package enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
            /// The log isn't on the list.
            case unknownLog
            /// The log's private key is public.
            case mimic
            /// The log didn't sign the timestamp over this certificate.
            case badSignature
            /// The date is later than the verify date.
            case future
            /// The log hasn't been accepted yet.
            case pending
            /// The log was rejected.
            case rejected
            /// The log was retired before the date of this timestamp or before the certificate's other timestamps, or
            /// the timestamp isn't embedded.
            case retired
            /// The log was closed before the date.
            case readOnly
            /// The certificate expires outside the dates that the log accepts.
            case outsideShard
            /// Another timestamp of the same log counts.
            case repeated
            /// The policy doesn't count timestamps from this origin.
            case origin
            /// The operator has more timestamps than the policy counts.
            case operatorRepeated
        }

        /// The result of a signature check. Raw values are stable.
        package enum Signature: String, Sendable, Hashable, Codable, CaseIterable {
            /// The log signed the timestamp over this certificate.
            case valid
            /// The log didn't sign the timestamp over this certificate.
            case invalid
            /// The log's key is unknown.
            case unknownLog
        }

        /// The origin of the timestamp: `embedded`, `handshake` or `ocsp`.
        package let origin: String
        /// The log's identifier, in base64.
        public let logID: String
        /// The log's name on the list, or nil for an unknown log.
        public let log: String?
        /// The log's operator at the date of the timestamp, or nil for an unknown log.
        package let operatorName: String?
        /// The log's state on the list, or nil for an unknown log.
        package let state: String?
        /// The date, in milliseconds since 1970.
        public let milliseconds: UInt64
        /// The result of the signature check.
        package let signature: Signature
        /// The reason why the timestamp doesn't count, or nil if it does.
        package internal(set) var reason: Reason?
        /// Whether the policy counts the timestamp.
        public var counts: Bool { reason == nil }
    }

    /// The result.
    public internal(set) var status: Status
    /// The name of the policy.
    public let policy: String
    /// The date of the list of logs, or nil without a list.
    public let listDate: Time?
    /// The version that the list states, or nil if it states none.
    package let listVersion: String?
    /// The number of timestamps that count.
    public let count: Int
    /// The number of timestamps that the policy requires.
    public let required: Int
    /// The timestamps in the order they were received, at most 96.
    public let timestamps: [Timestamp]
}

extension TransparencyFinding.Timestamp {
    /// The date in whole seconds, rounded down.
    package var time: Time { Time(secondsSinceEpoch: Int64(milliseconds / 1000)) }
}

extension TransparencyFinding {
    /// Returns the finding without a list of logs. Every timestamp is then from an unknown log.
    static func withoutList(
        _ lists: [(SignedCertificateTimestamp.Origin, TimestampList)], _ policy: CTPolicy
    ) -> TransparencyFinding {
        let timestamps = lists.flatMap { origin, list in
            list.timestamps.map { timestamp in
                Timestamp(
                    origin: origin.rawValue, logID: Base64.encode(timestamp.logID), log: nil, operatorName: nil,
                    state: nil, milliseconds: timestamp.milliseconds, signature: .unknownLog, reason: .unknownLog)
            }
        }
        return TransparencyFinding(
            status: .noLogList, policy: policy.name, listDate: nil, listVersion: nil, count: 0, required: 0,
            timestamps: timestamps)
    }

    /// Returns a copy of the finding with another result.
    func with(_ status: Status) -> TransparencyFinding {
        var finding = self
        finding.status = status
        return finding
    }
}
