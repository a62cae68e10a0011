// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The codes of `verify --batch` for requests that can't be evaluated. They rank above the engine's codes, because a
// client has to fix the request first.

extension TrustFailure.Code {
    static let requestNotJSON = Self(
        "requestNotJSON", rank: 99, severity: .undecided,
        message: "line isn't a JSON object: {found}")

    static let requestTooLong = Self(
        "requestTooLong", rank: 98, severity: .undecided,
        message: "line is longer than {expected} bytes and was skipped")

    static let requestKeyMissing = Self(
        "requestKeyMissing", rank: 97, severity: .undecided,
        message: "{expected} is missing")

    static let requestKeyWrongType = Self(
        "requestKeyWrongType", rank: 96, severity: .undecided,
        message: "{found}, expected {expected}")

    static let requestValueInvalid = Self(
        "requestValueInvalid", rank: 95, severity: .undecided,
        message: "value not allowed: {found}")

    static let base64Malformed = Self(
        "base64Malformed", rank: 94, severity: .undecided,
        message: "{found}, expected base64 with padding and without line breaks")

    /// All codes of `verify --batch`, most specific first.
    static let batch: [TrustFailure.Code] = [
        .requestNotJSON, .requestTooLong, .requestKeyMissing, .requestKeyWrongType, .requestValueInvalid,
        .base64Malformed,
    ]
}
