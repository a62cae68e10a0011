// SPDX-License-Identifier: Apache-2.0

import Explanations
import ServerTrust
import TrustSupport

/// A code that `explain` has a page for: of a failure of a path, or of another error.
enum ExplainedCode: Sendable {
    case failure(TrustFailure.Code)
    case error(ErrorGuide)

    /// Returns the code with exactly this name, or that had it earlier.
    static func named(_ name: String) -> ExplainedCode? {
        FailureCodes.named(name).map { .failure($0) } ?? ErrorGuide.of(name).map { .error($0) }
    }

    /// Returns the errors that the command and its JSON report under this name. Several may share it.
    static func reported(as name: String) -> [ExplainedCode] { ErrorGuide.reported(as: name).map { .error($0) } }

    /// Returns similar names: up to three of failures, and then up to three of errors.
    static func closest(to name: String) -> [String] {
        FailureCodes.closest(to: name) + similar(to: name, among: ErrorGuide.all.map(\.code))
    }

    /// Returns the page for people, in 80 columns.
    func page(_ palette: Palette) -> [String] {
        switch self {
        case .failure(let code): ExplainPage(code: code, palette: palette).lines
        case .error(let guide): ExplainErrorPage(guide: guide, palette: palette).lines
        }
    }
}
