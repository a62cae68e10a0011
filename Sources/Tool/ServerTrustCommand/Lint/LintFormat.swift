// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// An HTML page to view and share.
    case html
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// JUnit XML for CI systems.
    case junit
}
