// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension TransparencyFinding {
    /// The result in words, without a full stop: `complies with the policy mozilla: 2 SCTs count, 2 are needed`.
    package var words: String {
        switch status {
        case .complies: "complies with the policy \(shownPolicy): \(countWords)"
        case .notEnough: "does not comply with the policy \(shownPolicy): \(countWords)"
        case .notDiverse: "does not comply with the policy \(shownPolicy): the SCTs that count are of too few operators"
        case .noneInUse: "does not comply with the policy \(shownPolicy): no SCT is of a log that is in use today"
        case .noRFC6962Log: "does not comply with the policy \(shownPolicy): no SCT is of a log of RFC 6962"
        case .listOutOfDate: "not checked: the list of logs is older than the policy \(shownPolicy) allows"
        case .noLogList: "not checked: there is no list of logs"
        case .anchorNotPublic: "not checked: the anchor is none of a root program's"
        case .hostExempt: "not checked: the host is exempt"
        }
    }

    /// The list of logs in words: `list of logs of 2026-01-02, version 80.14`; nil without a list.
    package var listWords: String? {
        listDate.map { date in
            let version = listVersion.map { ", version \(ReportText.shown($0, to: 64))" } ?? ""
            return "list of logs of \(date.description.prefix(10))\(version)"
        }
    }

    /// The name of a policy of a program's own has any length.
    private var shownPolicy: String { ReportText.shown(policy, to: 64) }

    private var countWords: String {
        "\(count) \(count == 1 ? "SCT counts" : "SCTs count"), \(required) \(required == 1 ? "is" : "are") needed"
    }
}

extension TransparencyFinding.Timestamp {
    /// The log's name, or its identifier for an unknown log.
    package var logName: String { ReportText.shown(log.flatMap { $0.isEmpty ? nil : $0 } ?? logID, to: 128) }
}

extension TransparencyFinding.Timestamp.Reason {
    /// The reason in words, without a full stop.
    package var words: String {
        switch self {
        case .unknownLog: "the log is not on the list"
        case .mimic: "the log's private key is public"
        case .badSignature: "the signature is not the log's over this certificate"
        case .future: "it is later than the verify date"
        case .pending: "the log is not accepted yet"
        case .rejected: "the log was rejected"
        case .retired: "the log was retired"
        case .readOnly: "the log was closed before that"
        case .outsideShard: "the certificate ends outside of the dates that the log takes"
        case .repeated: "another SCT of the log counts"
        case .origin: "the policy does not count SCTs of this origin"
        case .operatorRepeated: "enough SCTs of the operator count"
        }
    }
}

extension AnchorFinding {
    /// The lists of roots and the limits that the path has met, one line each; empty for an anchor without a list.
    package var lines: [String] {
        let named = lists.prefix(16).map { ReportText.shown($0, to: 128) }.joined(separator: "; ")
        return (named.isEmpty ? [] : ["in the list of \(named)"]) + limits.prefix(16).map(\.words)
    }
}

extension AnchorFinding.Limit {
    /// The limit, the date that met it and the clock: `trusted for certificates issued until …; this one was issued … by its notBefore`.
    package var words: String {
        let clock = clock == .timestamps ? "the timestamps of logs" : "its notBefore"
        let standIn = isStandIn ? ", as no usable list of logs is at hand" : ""
        return "trusted for certificates issued \(side == .notAfter ? "until" : "after") \(date); "
            + "this one was issued \(issued) by \(clock)\(standIn)"
    }
}
