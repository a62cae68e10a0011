// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The sentence at the top of a report.
struct ReportHeadline {
    let text: String

    init(_ verdict: TrustVerdict, name: String) {
        let name = ReportText.shown(name, to: 300)
        guard !verdict.isTrusted else {
            let exception = verdict.excused.isEmpty ? "" : ", by an exception to \(verdict.excused.count) failures"
            text = "\(name) is trusted\(exception)"
            return
        }
        let message = verdict.headline.map { ": \(ReportText.shown($0.message, to: 700))" } ?? ""
        text = "\(name) is not trusted\(message)"
    }
}
