// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report.
enum LintFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people; its wording may change.
    case text
    /// A page to look at and to pass on.
    case html
    /// For programs: always an array, each element with `schemaVersion`.
    case json
    /// SARIF 2.1.0, for code scanning.
    case sarif
    /// For CI systems.
    case junit
}
