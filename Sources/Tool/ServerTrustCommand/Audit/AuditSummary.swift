// SPDX-License-Identifier: Apache-2.0

/// The counts of a run's answers by verdict, failure and certificate.
///
/// Its memory is bounded, whatever the number of answers. Equal answers in an equal order produce equal bytes, even if
/// you encode the summary, decode it and continue. The decoder rejects values beyond the bounds.
///
/// ```swift
/// var summary = AuditSummary()
/// for answer in answers { summary.add(AuditFacts(answer)) }
/// try file.write(summary.json(run))
/// ```
struct AuditSummary: Codable, Sendable, Equatable {
    private(set) var verdicts = AuditCount()
    /// The answers by their first, most specific failure.
    private(set) var reasons = AuditTable()
    /// The answers by every failure. If several certificates of an answer have the same code, the answer counts once
    /// for it.
    private(set) var codes = AuditTable()
    private(set) var issuers = AuditTable()
    private(set) var roots = AuditTable()
    private(set) var keys = AuditTable()
    private(set) var signatureAlgorithms = AuditTable()
    private(set) var validity = AuditValidity()
    private(set) var expiry = AuditWeeks()
    private(set) var transparency = AuditTable()
    private(set) var revocation = AuditTable()

    /// Creates an empty summary.
    init() {}

    /// Counts an answer, in about a microsecond.
    mutating func add(_ facts: AuditFacts) {
        let verdict = facts.verdict
        verdicts.add(verdict)
        reasons.add(facts.codes.first, verdict)
        addCodes(facts.codes, verdict)
        issuers.add(facts.issuer, verdict)
        roots.add(facts.root, verdict)
        keys.add(facts.key, verdict)
        signatureAlgorithms.add(facts.signatureAlgorithm, verdict)
        validity.add(facts.validityDays, verdict)
        expiry.add(facts.expires, verdict)
        transparency.add(facts.transparency, verdict)
        revocation.add(facts.revocation, verdict)
    }

    private mutating func addCodes(_ list: [String], _ verdict: AuditVerdict) {
        guard list.count > 1 else { return codes.add(list.first, verdict) }
        var seen: Set<String> = []
        for code in list where seen.insert(code).inserted { codes.add(code, verdict) }
    }
}
