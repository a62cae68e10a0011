// SPDX-License-Identifier: Apache-2.0

/// The policy, host and date of a validation, for every check.
struct EvaluationContext: Sendable {
    let policy: ValidationPolicy
    let host: Hostname?
    let time: Time
    /// Returns the dates of the leaf's valid timestamps with that issuer; nil where timestamps can't be verified.
    var timestamps: (@Sendable (Certificate) -> [Time]?)?
    /// The certificates that no path may contain.
    var distrusted: [DistrustedCertificates] = []
}
