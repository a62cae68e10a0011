// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// How the answer is written.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    /// For people; its wording may change.
    case text
    /// For programs: always an array, each element with `schemaVersion`.
    case json
}
