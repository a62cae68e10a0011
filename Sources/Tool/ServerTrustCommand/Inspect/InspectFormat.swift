// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The output format of `servertrust inspect`.
enum InspectFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people. Its wording may change.
    case text
    /// JSON for programs: an array whose elements have a `schemaVersion`.
    case json
    /// A page for people, with every field.
    case html
    /// The objects in PEM, one after the other.
    case pem
    /// One object, in DER.
    case der
    /// The ASN.1 values, one per line.
    case asn1
}
