// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report of `servertrust verify`.
enum VerifyFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people; its wording may change.
    case text
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// A page for people.
    case html
}
