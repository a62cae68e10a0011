// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The codes of `verify --batch` for requests that can't be evaluated. They rank above the engine's codes, because a
// client has to fix the request first.

extension TrustFailure.Code {
    static let requestNotJSON = Self(
        "requestNotJSON", rank: 99, severity: .undecided,
        message: "line isn't a JSON object: {found}",
        explanation: "Each line of verify --batch is one JSON object in UTF-8, without line breaks in it.",
        source: formatSource)

    static let requestTooLong = Self(
        "requestTooLong", rank: 98, severity: .undecided,
        message: "line is longer than {expected} bytes and was skipped",
        explanation: "No request needs that much. The limit keeps memory use constant.",
        source: formatSource)

    static let requestKeyMissing = Self(
        "requestKeyMissing", rank: 97, severity: .undecided,
        message: "{expected} is missing",
        explanation: "The request doesn't say what to evaluate.",
        source: formatSource)

    static let requestKeyWrongType = Self(
        "requestKeyWrongType", rank: 96, severity: .undecided,
        message: "{found}, expected {expected}",
        explanation: "A key has a value of the wrong JSON type. Omit keys without a value: null isn't allowed.",
        source: formatSource)

    static let requestValueInvalid = Self(
        "requestValueInvalid", rank: 95, severity: .undecided,
        message: "value not allowed: {found}",
        explanation: "The value has the right JSON type, but isn't valid for this key.",
        source: formatSource)

    static let base64Malformed = Self(
        "base64Malformed", rank: 94, severity: .undecided,
        message: "{found}, expected base64 with padding and without line breaks",
        explanation: "A request contains certificates, CRLs and OCSP responses as base64 of their DER.",
        source: "RFC 4648 § 4")

    /// All codes of `verify --batch`, most specific first.
    static let batch: [TrustFailure.Code] = [
        .requestNotJSON, .requestTooLong, .requestKeyMissing, .requestKeyWrongType, .requestValueInvalid,
        .base64Malformed,
    ]

    private static let formatSource = "format of verify --batch (servertrust help batch)"
}
