// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The result of comparing a certificate's timestamps with a policy.
public struct TransparencyFinding: Sendable, Hashable, Codable {
    /// The kinds of results; raw values are stable.
    public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
        /// The timestamps suffice.
        case complies
        /// Too few timestamps count.
        case notEnough = "notEnoughSCTs"
        /// The timestamps that count are of too few operators.
        case notDiverse
        /// No timestamp is of a log that is in use.
        case noneInUse = "noApprovedSCTNow"
        /// No timestamp is of a log of RFC 6962, and the policy asks for one.
        case noRFC6962Log
        /// Not checked: the list of logs is older than the policy allows.
        case listOutOfDate = "logListOutOfDate"
        /// Not checked: no list of logs is at hand.
        case noLogList
        /// Not checked: the anchor is none of a root program's, and only those have to publish.
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

    /// A timestamp and its part in the result.
    public struct Timestamp: Sendable, Hashable, Codable {
        /// The reason why a timestamp doesn't count; raw values are stable.
        package enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
            /// The log isn't on the list.
            case unknownLog
            /// The log's private key is public.
            case mimic
            /// The signature isn't the log's over this certificate.
            case badSignature
            /// The date is later than the verify date.
            case future
            /// The log isn't accepted yet.
            case pending
            /// The log was rejected.
            case rejected
            /// The log was retired before the date or before the certificate's other timestamps, or the timestamp isn't embedded.
            case retired
            /// The log was closed before the date.
            case readOnly
            /// The certificate ends outside the dates that the log takes.
            case outsideShard
            /// Another timestamp of the log counts.
            case repeated
            /// The policy doesn't count timestamps of that origin.
            case origin
            /// More timestamps of the operator count than the policy allows.
            case operatorRepeated
        }

        /// The outcome of a signature; raw values are stable.
        package enum Signature: String, Sendable, Hashable, Codable, CaseIterable {
            /// The log signed the timestamp over this certificate.
            case valid
            /// It didn't.
            case invalid
            /// The log's key isn't known.
            case unknownLog
        }

        /// The way on which it came: `embedded`, `handshake` or `ocsp`.
        package let origin: String
        /// The log's identifier, in base64.
        public let logID: String
        /// The log's name on the list; nil for an unknown log.
        public let log: String?
        /// The log's operator at the date of the timestamp; nil for an unknown log.
        package let operatorName: String?
        /// The log's state on the list; nil for an unknown log.
        package let state: String?
        /// The date, in milliseconds since 1970.
        public let milliseconds: UInt64
        /// The outcome of the signature.
        package let signature: Signature
        /// The reason why it doesn't count; nil if it does.
        package internal(set) var reason: Reason?
        /// Whether the policy counts it.
        public var counts: Bool { reason == nil }
    }

    /// The result.
    public internal(set) var status: Status
    /// The name of the policy.
    public let policy: String
    /// The date of the list of logs; nil without a list.
    public let listDate: Time?
    /// The version that the list states; nil for none.
    package let listVersion: String?
    /// The number of timestamps that count.
    public let count: Int
    /// The number that the policy asks for.
    public let required: Int
    /// The timestamps, in the order in which they came: at most 96.
    public let timestamps: [Timestamp]
}

extension TransparencyFinding.Timestamp {
    /// The date in whole seconds, rounded down.
    package var time: Time { Time(secondsSinceEpoch: Int64(milliseconds / 1000)) }
}

extension TransparencyFinding {
    /// Returns the finding without a list of logs: every timestamp is one of an unknown log.
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

    /// Returns the finding with another result.
    func with(_ status: Status) -> TransparencyFinding {
        var finding = self
        finding.status = status
        return finding
    }
}
