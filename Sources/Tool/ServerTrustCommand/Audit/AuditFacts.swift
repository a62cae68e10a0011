// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Facts of one answer that an audit counts. Texts may be those of certificates: they are bounded, and not escaped.
struct AuditFacts: Sendable {
    enum Verdict: String, Codable, CaseIterable, Sendable { case trusted, rejected, unreadable }

    var verdict: Verdict
    /// The codes of the failures, most specific first, at most 20.
    var codes: [String] = []
    /// The issuer of the leaf; nil without a leaf.
    var issuer: String?
    /// The subject of the anchor of a trusted path.
    var root: String?
    /// The kind of the leaf's key: `ECDSA P-256`.
    var key: String?
    /// The algorithm of the leaf's signature.
    var signatureAlgorithm: String?
    /// The validity of the leaf in days, rounded up; zero or negative for a leaf that ends before it begins.
    var validityDays: Int?
    /// The end of the leaf's validity.
    var expires: Time?
    /// The finding on transparency: `complies`, `fails: CODE` or `notChecked: CODE`; nil if it isn't asked for.
    var transparency: String?
    /// The status of the leaf's revocation: `good`, `revoked`, `exempt` or `unknown`; nil if it isn't asked for.
    var revocation: String?
}
