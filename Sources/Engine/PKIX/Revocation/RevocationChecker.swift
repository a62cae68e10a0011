// SPDX-License-Identifier: Apache-2.0

// Revocation of the certificates of a validated path by the evidence at hand: CRLs by RFC 5280 § 6.3.3, OCSP responses by
// RFC 6960 § 3.2.
//
// Rules for contradictory and incomplete evidence:
//
// 1. Evidence with any defect establishes no good status. A revocation by an authorized signer counts even if the evidence has expired. It
//    counts with a reservation (RevocationReservation.swift) if the evidence is too weak, too early or not fully understood.
// 2. A revocation counts in any piece of evidence: a good OCSP response doesn't outweigh a CRL that lists the
//    certificate, and a CRL doesn't outweigh another one unless it supersedes it (RelevantList.swift). A hold may be lifted (§ 5.3.1):
//    a later good response signed with the same key ends a hold of a response, and any later good status ends a hold that has expired.
// 3. Missing evidence is made good by an exemption (RevocationExemption.swift), which is not the status good.
// 4. All work is bounded by ``RevocationBudget``. Evidence that was not examined might have revoked the certificate, so
//    nothing is good after that. CAs are examined before the certificates that they have issued, and CRLs apart from
//    OCSP responses: the author of a leaf can't use up the budget for its CA, nor the author of a staple that for CRLs.

/// A check of the revocation of certificates by one evaluation's evidence, used by one thread: results about signatures
/// and signers are kept for the other paths of the same evaluation.
public final class RevocationChecker {
    let evidence: RevocationEvidence
    let policy: RevocationPolicy
    let time: Time
    let memory: SignatureMemory?

    /// The kinds of evidence that have a budget each.
    enum Account { case crls, ocsp }
    /// The kind that is being examined.
    var account = Account.crls
    private var remaining: (crls: RevocationBudget, ocsp: RevocationBudget)
    /// The rest of the budget for the kind that is being examined.
    var budget: RevocationBudget {
        get { account == .crls ? remaining.crls : remaining.ocsp }
        set { if account == .crls { remaining.crls = newValue } else { remaining.ocsp = newValue } }
    }
    /// Whether evidence was left unexamined because the budget had run out.
    var hasExceededBudget = false

    /// Signatures that didn't verify.
    var invalidSignatures: Set<SignaturePair> = []
    /// Signatures that verified, and are too weak to vouch.
    var weakSignatures: Set<SignaturePair> = []
    /// The paths of two certificates from signers to CAs, or the failures of signers without one.
    var signerPaths: [SignerPathKey: SignerPath] = [:]
    /// The first date after the verify date at which an authentic revocation begins to count; nil for none.
    package internal(set) var nextRevocation: Time?
    /// The results for CRL signers.
    var signerVerdicts: [SignerVerdictKey: SignerVerdict] = [:]
    /// The results for OCSP responders to which a CA has delegated.
    var delegateVerdicts: [SignerVerdictKey: SignerVerdict] = [:]
    /// Whether OCSP responses about a responder are being examined.
    var isExaminingDelegate = false
    /// The signers of evidence outside the examined paths whose own revocation is open, in the order of their discovery, at most eight.
    package internal(set) var openSigners: [OpenSigner] = []
    /// CRL signers whose own revocation is being examined, the innermost last.
    var signersInProgress: [Certificate] = []
    /// The certificates that are revoked, for a search that continues until the budget has run out.
    private var revocations: [Certificate: RevocationAnswer] = [:]

    /// Creates a checker. The work of all its calls together is bounded; evidence beyond gives no status (`budgetExceeded`).
    /// - Parameters:
    ///   - evidence: the evidence at hand.
    ///   - policy: the policy; best effort by default. With ``RevocationPolicy/Mode/required`` a CRL vouches only if its signer has been
    ///     shown not to be revoked, too. The other modes have the same findings.
    ///   - time: the verify date.
    ///   - memory: the memory of good signatures of certificates; nil to verify each one.
    public convenience init(
        _ evidence: RevocationEvidence, policy: RevocationPolicy = .bestEffort, at time: Time,
        memory: SignatureMemory? = .shared
    ) {
        self.init(evidence, policy: policy, at: time, memory: memory, budget: RevocationBudget())
    }

    /// Creates a checker with a budget for the work of all calls together, once for CRLs and once for OCSP responses.
    package init(
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
    /// Not checked: the anchor, which is trusted for being one.
    public func findings(for path: ValidatedPath) -> [RevocationFinding] {
        var findings: [RevocationFinding] = []
        for index in path.certificates.indices.dropLast().reversed() {
            let found = finding(RevocationTarget(path, index), isStapled: index == 0)
            // Beyond the scope only bad news counts, and evidence that was too much to search for it.
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
            // A hold that has ended may be among the answers. The status is then as long as that of the answer that ended it.
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

    /// Returns the answer of one kind of evidence. Of a kind that isn't used a revocation counts all the same.
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

/// A certificate whose revocation is examined, in its path.
struct RevocationTarget {
    let path: ValidatedPath
    let index: Int

    /// Creates a target. `index` is not the anchor's.
    init(_ path: ValidatedPath, _ index: Int) {
        self.path = path
        self.index = index
    }

    var certificate: Certificate { path.certificates[index] }
    var issuer: Certificate { path.certificates[index + 1] }
    /// The CAs of the path above the certificate, its issuer first.
    var above: ArraySlice<Certificate> { path.certificates[(index + 1)...] }
}

/// The result of one kind of evidence.
struct RevocationAnswer {
    let status: RevocationFinding.Status
    let source: RevocationFinding.Source
    var validFrom: Time?
    var validUntil: Time?
    var notes: [RevocationNote] = []
    /// The date of the statement. If several lists vouch together, the earliest date. nil for a filter.
    var date: Time?

    var isRevoked: Bool { if case .revoked = status { true } else { false } }

    /// Whether the certificate was on hold by evidence that has expired.
    var isExpiredHold: Bool { notes.contains(RevocationReservation.holdExpired.note) }

    /// Whether this is a good status that ends expired holds with an earlier date. A certificate can't end its own hold.
    private var canLift: Bool {
        if case .good = status { date != nil && !notes.contains(.crlSelfSigned) } else { false }
    }

    /// Whether this good status is later than a hold that has expired, and ends it.
    func lifts(_ hold: RevocationAnswer) -> Bool { canLift && hold.isExpiredHold && hold.isEarlier(than: self) }

    /// Whether the other one has a later date. An answer without a date is earlier than each with one.
    func isEarlier(than other: RevocationAnswer) -> Bool {
        guard let end = other.date else { return false }
        return date.map { $0 < end } ?? true
    }

    /// Whether the evidence revokes and does nothing else.
    var isReserved: Bool { notes.contains { RevocationReservation(note: $0) != nil } }

    func finding(for index: Int) -> RevocationFinding {
        RevocationFinding(
            certificate: index, status: status, source: source, validFrom: validFrom,
            validUntil: isRevoked ? nil : validUntil, notes: notes)
    }
}

extension [RevocationAnswer] {
    /// The revocation to report; nil if there is none. A revocation without a reservation comes first, an expired hold last. The latest
    /// expired hold counts unless a later good status ends it.
    var firstRevocation: RevocationAnswer? {
        let revoked = filter(\.isRevoked)
        if let first = revoked.first(where: { !$0.isReserved }) { return first }
        if let first = revoked.first(where: { !$0.isExpiredHold }) { return first }
        guard let hold = revoked.max(by: { $0.isEarlier(than: $1) }) else { return nil }
        return contains { $0.lifts(hold) } ? nil : hold
    }
}
