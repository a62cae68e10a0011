// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people; its wording may change.
    case text
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
}
