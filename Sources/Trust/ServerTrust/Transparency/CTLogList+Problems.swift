// SPDX-License-Identifier: Apache-2.0

import PKIX

extension CTLogList {
    /// Whether a log is in use and no log's private key is public.
    package var isFitForUse: Bool { mimicCount == 0 && logs.values.contains { $0.state.kind.isInUse } }

    /// Returns messages about the list's problems for a Certificate Transparency check at a date: logs whose private
    /// key is public, skipped logs, too few logs or operators in use, and an age that a policy doesn't allow.
    package func problems(at time: Time) -> [String] {
        var problems: [String] = []
        if mimicCount > 0 {
            problems.append(
                "\(mimicCount) \(mimicCount == 1 ? "log has a private key that is" : "logs have private keys that are") public: the list is for testing breakage, not for enforcement"
            )
        }
        problems += warnings.prefix(20).map { "left out: \($0)" }
        if warnings.count > 20 { problems.append("left out: \(warnings.count - 20) more") }
        let inUse = logs.values.filter { $0.state.kind.isInUse }
        if inUse.isEmpty {
            problems.append("no log is in use")
        } else if Set(inUse.map { $0.operatorName(at: time) }).count < 2 {
            problems.append("all logs in use have the same operator, but policies require two")
        }
        let old = CTPolicy.all.filter { $0.isOutOfDate(self, at: time) }
        if !old.isEmpty {
            let days = time.secondsSinceEpoch.subtractingReportingOverflow(date.secondsSinceEpoch).partialValue / 86_400
            problems.append(
                "too old for \(old.map(\.name).joined(separator: ", ")): \(days) days, at most "
                    + old.map { "\(($0.maximumListAge.wholeSeconds - 1) / 86_400)" }.joined(separator: ", "))
        }
        return problems
    }
}

extension CTLogList.State.Kind {
    /// Whether logs in this state are approved today.
    var isInUse: Bool {
        switch self {
        case .qualified, .usable, .readonly: true
        case .pending, .retired, .rejected: false
        }
    }
}
