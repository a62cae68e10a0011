// SPDX-License-Identifier: Apache-2.0

/// The policy, host and date of a validation, which every check uses.
struct EvaluationContext: Sendable {
    let policy: ValidationPolicy
    let host: Hostname?
    let time: Time
    /// Returns the dates of the leaf's valid timestamps, given the issuer. nil if timestamps can't be verified.
    var timestamps: (@Sendable (Certificate) -> [Time]?)?
    /// The certificates that no path may contain.
    var distrusted: [DistrustedCertificates] = []
}
