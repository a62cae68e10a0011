// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json
}
