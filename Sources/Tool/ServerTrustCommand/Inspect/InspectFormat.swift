// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The format of `servertrust inspect`.
enum InspectFormat: String, CaseIterable, ExpressibleByArgument {
    /// Text for people; its wording may change.
    case text
    /// JSON for programs: always an array, each element with `schemaVersion`.
    case json
    /// A page for people, with every field.
    case html
    /// The objects in PEM, one after the other.
    case pem
    /// One object in DER.
    case der
    /// The values of ASN.1, a line each.
    case asn1
}
