// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TransparencyFinding {
    /// The result in words, without a full stop: `complies with the mozilla policy: 2 SCTs count, 2 are needed`.
    package var words: String {
        switch status {
        case .complies: "complies with the \(shownPolicy) policy: \(countWords)"
        case .notEnough: "does not comply with the \(shownPolicy) policy: \(countWords)"
        case .notDiverse: "does not comply with the \(shownPolicy) policy: the counted SCTs come from too few operators"
        case .noneInUse: "does not comply with the \(shownPolicy) policy: no SCT comes from a log that is in use today"
        case .noRFC6962Log: "does not comply with the \(shownPolicy) policy: no SCT comes from an RFC 6962 log"
        case .listOutOfDate: "not checked: the list of logs is older than the \(shownPolicy) policy allows"
        case .noLogList: "not checked: no list of logs is available"
        case .anchorNotPublic: "not checked: the anchor doesn't belong to a root program"
        case .hostExempt: "not checked: the host is exempt"
        }
    }

    /// The list of logs in words, such as `list of logs dated 2026-01-02, version 80.14`, or nil without a list.
    package var listWords: String? {
        listDate.map { date in
            let version = listVersion.map { ", version \(ReportText.shown($0, to: 64))" } ?? ""
            return "list of logs dated \(date.description.prefix(10))\(version)"
        }
    }

    /// The policy's name, cut because the name of a custom policy can have any length.
    private var shownPolicy: String { ReportText.shown(policy, to: 64) }

    private var countWords: String {
        "\(count) \(count == 1 ? "SCT counts" : "SCTs count"), \(required) \(required == 1 ? "is" : "are") needed"
    }
}

extension TransparencyFinding.Timestamp {
    /// The log's name, or its identifier if the log is unknown.
    package var logName: String { ReportText.shown(log.flatMap { $0.isEmpty ? nil : $0 } ?? logID, to: 128) }
}

extension TransparencyFinding.Timestamp.Reason {
    /// The reason in words, without a full stop.
    package var words: String {
        switch self {
        case .unknownLog: "the log is not on the list"
        case .mimic: "the log's private key is public"
        case .badSignature: "the signature isn't valid for this log and certificate"
        case .future: "its date is later than the verify date"
        case .pending: "the log is not accepted yet"
        case .rejected: "the log was rejected"
        case .retired: "the log was retired"
        case .readOnly: "the log was closed before the SCT's date"
        case .outsideShard: "the certificate expires outside the log's date range"
        case .repeated: "another SCT from this log already counts"
        case .origin: "the policy does not count SCTs from this origin"
        case .operatorRepeated: "enough SCTs from this operator already count"
        }
    }
}

extension AnchorFinding {
    /// The root lists that apply to the anchor and the limits that the path met, one per line. Empty for an anchor
    /// without a list.
    package var lines: [String] {
        let named = lists.prefix(16).map { ReportText.shown($0, to: 128) }.joined(separator: "; ")
        return (named.isEmpty ? [] : ["in the list of \(named)"]) + limits.prefix(16).map(\.words)
    }
}

extension AnchorFinding.Limit {
    /// The limit, the date that met the limit and the source of that date: `trusted for certificates issued until …;
    /// this one was issued … according to its notBefore`.
    var words: String {
        let clock = clock == .timestamps ? "log timestamps" : "its notBefore"
        let standIn = isStandIn ? ", because no usable list of logs is available" : ""
        return "trusted for certificates issued \(side == .notAfter ? "until" : "after") \(date); "
            + "this one was issued \(issued) according to \(clock)\(standIn)"
    }
}
