// SPDX-License-Identifier: Apache-2.0

// Revocation of the certificates of a validated path by the evidence at hand: CRLs by RFC 5280 § 6.3.3, OCSP responses by
// RFC 6960 § 3.2.
//
// Rules for contradictory and incomplete evidence:
//
// 1. Evidence with any defect establishes no good status. A revocation by an authorized signer counts even if the
//    evidence has expired: except for a hold, revocations aren't taken back (§ 5.3.1).
// 2. A revocation counts in any piece of evidence: a good OCSP response doesn't outweigh a CRL that lists the
//    certificate, and a CRL doesn't outweigh another one unless it supersedes it (RelevantList.swift).
// 3. Missing evidence is made good by an exemption (RevocationExemption.swift), which is not the status good.
// 4. All work is bounded by ``RevocationBudget``. Evidence that was not examined might have revoked the certificate, so
//    nothing is good after that. CAs are examined before the certificates that they have issued, and CRLs apart from
//    OCSP responses: the author of a leaf can't use up the budget for its CA, nor the author of a staple that for CRLs.

/// A check of the revocation of certificates by one evaluation's evidence, used by one thread: results about signatures
/// and signers are kept for the other paths of the same evaluation.
public final class RevocationChecker {
    let evidence: RevocationEvidence
    let rules: RevocationRules
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
    /// The paths of two certificates from signers to CAs; nil for signers without one.
    var signerPaths: [SignerPathKey: ValidatedPath?] = [:]
    /// The results for CRL signers.
    var signerVerdicts: [SignerVerdictKey: SignerVerdict] = [:]
    /// The signers of evidence outside the examined paths whose own revocation is open, in the order of their discovery, at most eight.
    package internal(set) var openSigners: [OpenSigner] = []
    /// CRL signers whose own revocation is being examined, the innermost last.
    var signersInProgress: [Certificate] = []
    /// The certificates that are revoked, for a search that continues until the budget has run out.
    private var revocations: [Certificate: RevocationAnswer] = [:]

    /// Creates a checker. The work of all its calls together is bounded; evidence beyond gives no status (`budgetExceeded`).
    /// - Parameters:
    ///   - evidence: the evidence at hand.
    ///   - rules: the rules for evidence and findings.
    ///   - time: the verify date.
    ///   - memory: the memory of good signatures of certificates; nil to verify each one.
    public convenience init(
        _ evidence: RevocationEvidence, rules: RevocationRules = RevocationRules(), at time: Time,
        memory: SignatureMemory? = .shared
    ) {
        self.init(evidence, rules: rules, at: time, memory: memory, budget: RevocationBudget())
    }

    /// Creates a checker with a budget for the work of all calls together, once for CRLs and once for OCSP responses.
    package init(
        _ evidence: RevocationEvidence, rules: RevocationRules = RevocationRules(), at time: Time,
        memory: SignatureMemory? = .shared, budget: RevocationBudget
    ) {
        self.evidence = evidence
        self.rules = rules
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
            guard index == 0 || rules.scope == .path else {
                findings.append(RevocationFinding(certificate: index, status: .unchecked))
                continue
            }
            findings.append(finding(RevocationTarget(path, index), isStapled: index == 0))
        }
        return findings.reversed()
    }

    func finding(_ target: RevocationTarget, isStapled: Bool) -> RevocationFinding {
        var obstacles: [RevocationObstacle] = []
        var answers: [RevocationAnswer] = []
        if rules.usesOCSP {
            let answer = charging(.ocsp, &obstacles) { ocspAnswer(target, isStapled: isStapled, &$0) }
            if let answer { answers.append(answer) }
        }
        if rules.usesCRLs {
            if let answer = charging(.crls, &obstacles, { crlAnswer(target, &$0) }) { answers.append(answer) }
        }
        if let answer = filterAnswer(target, &obstacles) { answers.append(answer) }
        if let revoked = answers.first(where: \.isRevoked) {
            revocations[target.certificate] = revoked
            return revoked.finding(for: target.index)
        }
        if obstacles.contains(.budgetExceeded) {
            if let known = revocations[target.certificate] { return known.finding(for: target.index) }
        } else if let good = answers.first(where: { $0.source == .crl && rules.prefersCRLs }) ?? answers.first {
            return good.finding(for: target.index)
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

    var isRevoked: Bool { if case .revoked = status { true } else { false } }

    func finding(for index: Int) -> RevocationFinding {
        RevocationFinding(
            certificate: index, status: status, source: source, validFrom: validFrom,
            validUntil: isRevoked ? nil : validUntil, notes: notes)
    }
}
