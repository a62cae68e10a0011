// SPDX-License-Identifier: Apache-2.0

import TrustReports

extension AuditSummary {
    /// Writes the summary as a page of HTML in UTF-8, which needs nothing from elsewhere and is the same for the same summary.
    ///
    /// Of each table it has the rows with the most answers; ``json(_:)`` has all.
    /// - Parameter version: the version of the program.
    func page(_ run: AuditRun, version: String) -> [UInt8] {
        let page = AuditPage(summary: self, run: run)
        return HTMLPage(
            title: "\(page.headline) · audit", kind: "Audit", version: version, date: nil, content: page.write
        )
        .bytes()
    }
}
