// SPDX-License-Identifier: Apache-2.0

import Diagnosis

/// The page for an error code other than a path's failure, in 80 columns.
struct ExplainErrorPage {
    let guide: ErrorGuide
    let palette: Palette

    /// The lines of the page.
    var lines: [String] {
        ["\(palette.bold(guide.code)) (error)"] + ExplainPage.paragraph(guide.meaning)
            + [palette.bold("how to fix it")] + guide.remedies.flatMap(ExplainPage.item)
    }
}
