// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The verdict of an answer, for counts. Raw values are stable.
enum AuditVerdict: String, Sendable { case trusted, rejected, unreadable }

/// The facts of one answer that an audit counts.
///
/// Texts may come from certificates. Their length is limited, but they aren't escaped.
struct AuditFacts: Sendable {
    var verdict: AuditVerdict
    /// The codes of the failures, most specific first, at most 20.
    var codes: [String] = []
    /// The issuer of the leaf, or nil if the answer has no leaf.
    var issuer: String?
    /// The subject of the anchor of a trusted path.
    var root: String?
    /// The type of the leaf's key: `ECDSA P-256`.
    var key: String?
    /// The signature algorithm of the leaf.
    var signatureAlgorithm: String?
    /// The validity of the leaf in days, rounded up. Zero or negative if the leaf ends before it begins.
    var validityDays: Int?
    /// The end of the leaf's validity.
    var expires: Time?
    /// The result of the Certificate Transparency check: `complies`, `fails: CODE` or `notChecked: CODE`. Nil if the
    /// run doesn't check it.
    var transparency: String?
    /// The revocation status of the leaf: `good`, `revoked`, `exempt` or `unknown`. Nil if the run doesn't check it.
    var revocation: String?
}
