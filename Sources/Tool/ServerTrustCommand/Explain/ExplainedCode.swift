// SPDX-License-Identifier: Apache-2.0

import Diagnosis
import ServerTrust

/// A code that `explain` has a page for: the code of a path's failure, of another error, or of a cause that only other
/// tools report.
struct ExplainedCode: Sendable {
    /// The guide to the code.
    let guide: Book.Entry
    /// The code of a path's failure, or nil for another error.
    let failure: TrustFailure.Code?

    private init(_ guide: Book.Entry, failure: TrustFailure.Code? = nil) {
        self.guide = guide
        self.failure = failure
    }

    /// What the code stands for, in parentheses after its name.
    var kind: String {
        if let failure { return failure.severity.rawValue }
        return Guides.causes[guide.name] == nil ? "error" : "cause"
    }

    /// Creates the code of a path's failure. Returns nil for a code of another package.
    init?(_ failure: TrustFailure.Code) {
        guard let guide = Guides.of(failure) else { return nil }
        self.init(guide, failure: failure)
    }

    /// The codes of errors.
    static let errors = Guides.errors.entries.map { ExplainedCode($0) }

    /// Returns the code with exactly this present or earlier name.
    static func named(_ name: String) -> ExplainedCode? {
        FailureCodes.named(name).flatMap(ExplainedCode.init)
            ?? (Guides.errors[name] ?? Guides.causes[name]).map { ExplainedCode($0) }
    }

    /// Returns the errors that the command and its JSON report under this name. Several errors may share a name.
    static func reported(as name: String) -> [ExplainedCode] {
        Guides.errors(reportedAs: name).map { ExplainedCode($0) }
    }

    /// Returns similar names: up to three failure codes, then up to three error codes.
    static func closest(to name: String) -> [String] {
        FailureCodes.closest(to: name) + similar(to: name, among: Guides.errors.entries.map(\.name))
    }
}
