// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of the report of `servertrust verify`.
enum VerifyFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json
    /// A page for people.
    case html
}
