// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The sentence at the top of a report.
struct ReportHeadline {
    let text: String

    init(_ verdict: TrustVerdict, _ presented: PresentedChain, name: String) {
        let name = ReportText.shown(name, to: 300)
        guard verdict.isTrusted else {
            let message =
                verdict.headline.map {
                    ": \(ReportText.shown($0.message(on: verdict.path, sentIn: presented), to: 700))"
                } ?? ""
            text = "\(name) is not trusted\(message)"
            return
        }
        guard verdict.checked.contains(.path) else {
            text = "\(name) is accepted without a validated path"
            return
        }
        guard verdict.excused.isEmpty else {
            let count = verdict.excused.count
            text = "\(name) is trusted: an exception excuses \(counted(count, "failure"))"
            return
        }
        let anchor = verdict.path.last.map { " under \(ReportText.shown(Self.name(of: $0), to: 200))" } ?? ""
        text = "\(name) is trusted\(verdict.reachesAnchor ? anchor : "")"
    }

    private static func name(of certificate: Certificate) -> String {
        certificate.subject.values(of: .commonName).first ?? certificate.abridgedDescription(toBytes: 200)
    }
}
