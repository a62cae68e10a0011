// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// A code that `explain` has a page for: the code of a path's failure, or of another error.
enum ExplainedCode: Sendable {
    case failure(TrustFailure.Code)
    case error(ErrorGuide)

    /// Returns the code with exactly this present or earlier name.
    static func named(_ name: String) -> ExplainedCode? {
        FailureCodes.named(name).map { .failure($0) } ?? ErrorGuide.of(name).map { .error($0) }
    }

    /// Returns the errors that the command and its JSON report under this name. Several errors may share a name.
    static func reported(as name: String) -> [ExplainedCode] { ErrorGuide.reported(as: name).map { .error($0) } }

    /// Returns similar names: up to three failure codes, then up to three error codes.
    static func closest(to name: String) -> [String] {
        FailureCodes.closest(to: name) + similar(to: name, among: ErrorGuide.all.map(\.code))
    }

    /// Returns the page for people in 80 columns.
    func page(_ palette: Palette) -> [String] {
        switch self {
        case .failure(let code): ExplainPage(code: code, palette: palette).lines
        case .error(let guide): ExplainErrorPage(guide: guide, palette: palette).lines
        }
    }
}
