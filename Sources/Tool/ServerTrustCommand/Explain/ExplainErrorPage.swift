// SPDX-License-Identifier: Apache-2.0

import Explanations

/// The page of the code of an error that isn't a failure of a path, in 80 columns.
struct ExplainErrorPage {
    let guide: ErrorGuide
    let palette: Palette

    /// The lines.
    var lines: [String] {
        ["\(palette.bold(guide.code)) (error)"] + ExplainPage.paragraph(guide.meaning)
            + [palette.bold("how to end it")] + guide.remedies.flatMap(ExplainPage.item)
    }
}
