// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// Codes of `verify --batch` for requests that can't be evaluated. They rank above the engine's codes, as a client has to
// correct the request first.

extension TrustFailure.Code {
    static let requestNotJSON = Self(
        "requestNotJSON", rank: 99, severity: .undecided,
        message: "line is no JSON object: {found}",
        explanation: "Each line of verify --batch is one JSON object in UTF-8, without line breaks in it.",
        source: formatSource)

    static let requestTooLong = Self(
        "requestTooLong", rank: 98, severity: .undecided,
        message: "line is longer than {expected} bytes and was skipped",
        explanation: "No request needs that much; the limit keeps memory flat.",
        source: formatSource)

    static let requestKeyMissing = Self(
        "requestKeyMissing", rank: 97, severity: .undecided,
        message: "{expected} is missing",
        explanation: "The request says nothing about what has to be evaluated.",
        source: formatSource)

    static let requestKeyWrongType = Self(
        "requestKeyWrongType", rank: 96, severity: .undecided,
        message: "{found}, expected {expected}",
        explanation: "A key of the format has another JSON type. null is no way to leave a key out.",
        source: formatSource)

    static let requestValueInvalid = Self(
        "requestValueInvalid", rank: 95, severity: .undecided,
        message: "value not allowed: {found}",
        explanation: "The value has the right JSON type and means nothing there.",
        source: formatSource)

    static let base64Malformed = Self(
        "base64Malformed", rank: 94, severity: .undecided,
        message: "{found}, expected base64 with padding and without line breaks",
        explanation: "Certificates, CRLs and OCSP responses stand in a request as base64 of their DER.",
        source: "RFC 4648 § 4")

    /// All codes of `verify --batch`, most specific first.
    static let batch: [TrustFailure.Code] = [
        .requestNotJSON, .requestTooLong, .requestKeyMissing, .requestKeyWrongType, .requestValueInvalid,
        .base64Malformed,
    ]

    private static let formatSource = "format of verify --batch (servertrust help batch)"
}
