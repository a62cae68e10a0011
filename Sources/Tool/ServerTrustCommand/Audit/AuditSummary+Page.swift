// SPDX-License-Identifier: Apache-2.0

import Diagnosis

extension AuditSummary {
    /// Returns the summary as an HTML page in UTF-8. The page loads nothing else, and equal summaries produce equal
    /// pages.
    ///
    /// The page shows the most frequent rows of each table. ``json(_:)`` contains all rows.
    /// - Parameter version: the version of the program.
    func page(_ run: AuditRun, version: String) -> [UInt8] {
        let page = AuditPage(summary: self, run: run)
        return HTMLPage(
            title: "\(page.headline) · audit", kind: "Audit", version: version, date: nil, content: page.write
        )
        .bytes()
    }
}
