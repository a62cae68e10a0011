// SPDX-License-Identifier: Apache-2.0

// Checks whether the certificates of a validated path are revoked, using the available evidence: CRLs by RFC 5280 §
// 6.3.3 and OCSP responses by RFC 6960 § 3.2.
//
// Rules for contradictory and incomplete evidence:
//
// 1. Evidence with any defect can't establish the good status. A revocation by an authorized signer counts even if the
//   evidence has expired. If the evidence is too weak, too early or not fully understood, a revocation counts with a
//   reservation (RevocationReservation.swift).
// 2. A revocation counts in any piece of evidence. A good OCSP response doesn't outweigh a CRL that lists the
//   certificate. A CRL doesn't outweigh another CRL unless it supersedes it (RelevantList.swift). A hold may be lifted
//   (§ 5.3.1): a later good response signed with the same key ends a hold from a response, and any later good status
//   ends an expired hold.
// 3. An exemption (RevocationExemption.swift) can replace missing evidence, but isn't the good status.
// 4. ``RevocationBudget`` bounds all work. Evidence that wasn't examined might have revoked the certificate, so nothing
//   is good after the budget has run out. The engine examines CAs before the certificates they issued, and uses
//   separate budgets for CRLs and OCSP responses. So the author of a leaf can't use up the budget for its CA, and the
//   author of a staple can't use up the budget for CRLs.

/// A revocation check of certificates with the evidence of one evaluation. Use it from one thread. It stores results
/// about signatures and signers for the other paths of the same evaluation.
public final class RevocationChecker {
    let evidence: RevocationEvidence
    let policy: RevocationPolicy
    let time: Time
    let memory: SignatureMemory?

    /// The indices of the CRLs by the hash of their issuer's name.
    lazy var crlsByIssuer = Dictionary(grouping: evidence.crls.indices) { evidence.crls[$0].issuerHash }

    /// The kinds of evidence with separate budgets.
    enum Account { case crls, ocsp }
    /// The kind of evidence that the checker is examining.
    var account = Account.crls
    private var remaining: (crls: RevocationBudget, ocsp: RevocationBudget)
    /// The remaining budget for the kind of evidence that the checker is examining.
    var budget: RevocationBudget {
        get { account == .crls ? remaining.crls : remaining.ocsp }
        set { if account == .crls { remaining.crls = newValue } else { remaining.ocsp = newValue } }
    }
    /// Whether evidence wasn't examined because the budget had run out.
    var hasExceededBudget = false

    /// The signatures that failed to verify.
    var invalidSignatures: Set<SignaturePair> = []
    /// The signatures that are valid but weak.
    var weakSignatures: Set<SignaturePair> = []
    /// The two-certificate paths from signers to CAs, or the failures of signers without such a path.
    var signerPaths: [SignerPathKey: SignerPath] = [:]
    /// The first date after the verify date when an authentic revocation begins to count, or nil if there is no such
    /// date.
    package internal(set) var nextRevocation: Time?
    /// The entries that a search of an indirect CRL has found, or nil for certificates that it doesn't list.
    var indirectEntries: [IndirectEntryKey: RevokedCertificate?] = [:]
    /// The results for CRL signers.
    var signerVerdicts: [SignerVerdictKey: SignerVerdict] = [:]
    /// The results for OCSP responders that a CA has authorized with a certificate.
    var delegateVerdicts: [SignerVerdictKey: SignerVerdict] = [:]
    /// Whether the checker is examining OCSP responses about a responder.
    var isExaminingDelegate = false
    /// The signers of evidence outside the examined paths whose own revocation status is unknown, in the order of
    /// discovery, at most eight.
    package internal(set) var openSigners: [OpenSigner] = []
    /// The staple, as the last call of ``findings(for:)`` found it. Nil if the call didn't examine a staple.
    package internal(set) var staple: StapleFinding?
    /// The CRL signers whose own revocation the checker is examining, the innermost last.
    var signersInProgress: [Certificate] = []
    /// The revoked certificates, for a search that continues after the budget has run out.
    private var revocations: [Certificate: RevocationAnswer] = [:]

    /// Creates a checker. The work of all its calls together is bounded. Evidence beyond the bound gives no status
    /// (`budgetExceeded`).
    /// - Parameters:
    ///   - evidence: the available evidence.
    ///   - policy: the policy. The default is best effort. With ``RevocationPolicy/Mode/required``, a CRL establishes
    ///     the good status only if its signer has also been shown not to be revoked. All other modes produce the same
    ///     findings.
    ///   - time: the verify date.
    ///   - memory: the cache of good signatures of certificates, or nil to verify each signature.
    public convenience init(
        _ evidence: RevocationEvidence, policy: RevocationPolicy = .bestEffort, at time: Time,
        memory: SignatureMemory? = .shared
    ) {
        self.init(evidence, policy: policy, at: time, memory: memory, budget: RevocationBudget())
    }

    /// Creates a checker with a budget for the work of all its calls together. CRLs and OCSP responses each get the
    /// full budget.
    init(
        _ evidence: RevocationEvidence, policy: RevocationPolicy = .bestEffort, at time: Time,
        memory: SignatureMemory? = .shared, budget: RevocationBudget
    ) {
        self.evidence = evidence
        self.policy = policy
        self.time = time
        self.memory = memory
        self.remaining = (budget, budget)
    }

    /// Returns a finding for every certificate of the path except the anchor, in order.
    ///
    /// Not checked: the anchor. It is trusted because it is an anchor.
    public func findings(for path: ValidatedPath) -> [RevocationFinding] {
        var findings: [RevocationFinding] = []
        staple = nil
        for index in path.certificates.indices.dropLast().reversed() {
            let found = finding(RevocationTarget(path, index), isStapled: index == 0)
            // Outside the scope, a certificate is reported only if it is revoked or if its evidence exceeds the budget.
            let isChecked = index == 0 || policy.scope == .path || found.isRevoked || found.exceedsBudget
            findings.append(isChecked ? found : RevocationFinding(certificate: index, status: .unchecked))
        }
        return findings.reversed()
    }

    func finding(_ target: RevocationTarget, isStapled: Bool) -> RevocationFinding {
        var obstacles: [RevocationObstacle] = []
        var answers: [RevocationAnswer] = []
        let ocsp = examine(.ocsp, vouches: policy.usesOCSP, &obstacles) {
            ocspAnswer(target, isStapled: isStapled, &$0)
        }
        if let ocsp { answers.append(ocsp) }
        let crl = examine(.crls, vouches: policy.usesCRLs, &obstacles) { crlAnswer(target, &$0) }
        if let crl { answers.append(crl) }
        if let answer = filterAnswer(target, &obstacles) { answers.append(answer) }
        if let revoked = answers.firstRevocation {
            revocations[target.certificate] = revoked
            return revoked.finding(for: target.index)
        }
        if obstacles.contains(.budgetExceeded) {
            if let known = revocations[target.certificate] { return known.finding(for: target.index) }
        } else {
            let good = answers.filter { !$0.isRevoked }
            // An ended hold may be among the answers. The status then lasts as long as the answer that ended the hold.
            let preferred =
                good.count < answers.count
                ? good.max { $0.isEarlier(than: $1) }
                : good.first { $0.source == .crl && policy.prefersCRLs } ?? good.first
            if let preferred { return preferred.finding(for: target.index) }
        }
        if obstacles.isEmpty { obstacles.append(.noEvidence) }
        if !obstacles.contains(.budgetExceeded), let exemption = exemption(target, &obstacles) {
            return RevocationFinding(certificate: target.index, status: .exempt(exemption))
        }
        var named: [RevocationObstacle] = []
        for obstacle in obstacles where !named.contains(obstacle) { named.append(obstacle) }
        return RevocationFinding(
            certificate: target.index, status: .unobtainable(named))
    }

    /// Returns the answer of one kind of evidence. If the policy doesn't use this kind, only a revocation counts.
    private func examine(
        _ account: Account, vouches: Bool, _ obstacles: inout [RevocationObstacle],
        _ examine: (inout [RevocationObstacle]) -> RevocationAnswer?
    ) -> RevocationAnswer? {
        guard !vouches else { return charging(account, &obstacles, examine) }
        var unused: [RevocationObstacle] = []
        let answer = charging(account, &unused, examine)
        if unused.contains(.budgetExceeded) { obstacles.append(.budgetExceeded) }
        return answer?.isRevoked == true ? answer : nil
    }

    private func charging(
        _ account: Account, _ obstacles: inout [RevocationObstacle],
        _ examine: (inout [RevocationObstacle]) -> RevocationAnswer?
    ) -> RevocationAnswer? {
        let outer = (account: self.account, hasExceededBudget: hasExceededBudget)
        self.account = account
        hasExceededBudget = false
        let answer = examine(&obstacles)
        if hasExceededBudget { obstacles.append(.budgetExceeded) }
        self.account = outer.account
        hasExceededBudget = hasExceededBudget || outer.hasExceededBudget
        return answer
    }
}

/// The cache key for a search of an indirect CRL.
struct IndirectEntryKey: Hashable {
    let crl: ObjectIdentifier
    let certificate: Certificate
}

/// A certificate in its path, as the subject of a revocation check.
struct RevocationTarget {
    let path: ValidatedPath
    let index: Int

    /// Creates a target. `index` must not be the anchor's index.
    init(_ path: ValidatedPath, _ index: Int) {
        self.path = path
        self.index = index
    }

    var certificate: Certificate { path.certificates[index] }
    var issuer: Certificate { path.certificates[index + 1] }
    /// The CAs in the path above the certificate, its issuer first.
    var above: ArraySlice<Certificate> { path.certificates[(index + 1)...] }
}

/// The result of one kind of evidence.
struct RevocationAnswer {
    let status: RevocationFinding.Status
    let source: RevocationFinding.Source
    var validFrom: Time?
    var validUntil: Time?
    var notes: [RevocationNote] = []
    /// The date of the statement. If several lists establish the status together, the earliest date. nil for a filter.
    var date: Time?

    var isRevoked: Bool { if case .revoked = status { true } else { false } }

    /// Whether expired evidence put the certificate on hold.
    var isExpiredHold: Bool { notes.contains(RevocationReservation.holdExpired.note) }

    /// Whether this good status can end expired holds with an earlier date. A certificate can't end its own hold.
    private var canLift: Bool {
        if case .good = status { date != nil && !notes.contains(.crlSelfSigned) } else { false }
    }

    /// Whether this good status is later than an expired hold and ends it.
    func lifts(_ hold: RevocationAnswer) -> Bool { canLift && hold.isExpiredHold && hold.isEarlier(than: self) }

    /// Whether the other answer has a later date. An answer without a date is earlier than any answer with a date.
    func isEarlier(than other: RevocationAnswer) -> Bool {
        guard let end = other.date else { return false }
        return date.map { $0 < end } ?? true
    }

    /// Whether the evidence can only revoke.
    var isReserved: Bool { notes.contains { RevocationReservation(note: $0) != nil } }

    func finding(for index: Int) -> RevocationFinding {
        RevocationFinding(
            certificate: index, status: status, source: source, validFrom: validFrom,
            validUntil: isRevoked ? nil : validUntil, notes: notes)
    }
}

extension [RevocationAnswer] {
    /// The revocation to report, or nil if there isn't one. A revocation without a reservation comes first, an expired
    /// hold last. The latest expired hold counts unless a later good status ends it.
    var firstRevocation: RevocationAnswer? {
        let revoked = filter(\.isRevoked)
        if let first = revoked.first(where: { !$0.isReserved }) { return first }
        if let first = revoked.first(where: { !$0.isExpiredHold }) { return first }
        guard let hold = revoked.max(by: { $0.isEarlier(than: $1) }) else { return nil }
        return contains { $0.lifts(hold) } ? nil : hold
    }
}
