// Judging certificates of a validated path by the evidence at hand: CRLs by RFC 5280 § 6.3.3, OCSP responses by RFC 6960 § 3.2.
//
// What decides in doubt:
//
// 1. Evidence that isn't right in every respect vouches for nothing. A revocation that is signed by whoever may say so counts
//    even if the evidence has run out: but for a hold, revocations aren't taken back (§ 5.3.1).
// 2. A revocation counts wherever it is found: a good OCSP response doesn't outweigh a CRL that lists the certificate.
// 3. All work is bounded by ``RevocationBudget``; what can't be looked at any more is no evidence.

/// One evaluation's view of the evidence, used by one thread: what was found out about signatures and signers is kept for the
/// other paths of the same evaluation.
public final class RevocationChecker {
    let evidence: RevocationEvidence
    let rules: RevocationRules
    let time: Time
    let memory: SignatureMemory?
    /// What is left of it.
    var budget: RevocationBudget

    /// Signatures that were checked in vain.
    var wrongSignatures: Set<SignaturePair> = []
    /// Paths of CRL signers to an anchor; nil for those that have none.
    var signerPaths: [SignerQuestion: ValidatedPath?] = [:]
    /// What is wrong with CRL signers that were judged; nil for those that will do.
    var standings: [StandingQuestion: RevocationObstacle?] = [:]
    /// Certificates whose signers' certificates are being judged right now: a CRL may cover the certificate of its own signer.
    var underway: [Certificate] = []

    /// - Parameters:
    ///   - evidence: what is at hand.
    ///   - rules: what counts as an answer.
    ///   - time: the verify date.
    ///   - memory: where good signatures of certificates are remembered; nil to verify each one.
    ///   - budget: bound on the work of all calls together.
    public init(
        _ evidence: RevocationEvidence, rules: RevocationRules = RevocationRules(), at time: Time,
        memory: SignatureMemory? = .shared, budget: RevocationBudget = RevocationBudget()
    ) {
        var evidence = evidence
        // Of two CRLs that cover the same the newer one decides, and the older one is not looked at any more (§ 6.3.3 (e)).
        evidence.crls.sort { $1.fields.thisUpdate < $0.fields.thisUpdate }
        self.evidence = evidence
        self.rules = rules
        self.time = time
        self.memory = memory
        self.budget = budget
    }

    /// A finding for every certificate of the path but the anchor, in order.
    ///
    /// Not checked: the anchor, which is trusted for being one.
    public func findings(for path: ValidatedPath) -> [RevocationFinding] {
        path.certificates.indices.dropLast().map { index in
            guard index == 0 || rules.scope == .path else {
                return RevocationFinding(certificate: index, status: .unchecked)
            }
            return finding(RevocationTarget(path, index), isStapled: index == 0)
        }
    }

    func finding(_ target: RevocationTarget, isStapled: Bool) -> RevocationFinding {
        var obstacles: [RevocationObstacle] = []
        var answers: [RevocationAnswer] = []
        if rules.usesOCSP {
            if let answer = ocspAnswer(target, isStapled: isStapled, &obstacles) { answers.append(answer) }
        }
        if rules.usesCRLs {
            if let answer = crlAnswer(target, &obstacles) { answers.append(answer) }
        }
        guard let answer = answers.first(where: \.isRevoked) ?? (rules.prefersCRLs ? answers.last : answers.first)
        else {
            var told: [RevocationObstacle] = []
            for obstacle in obstacles where !told.contains(obstacle) { told.append(obstacle) }
            return RevocationFinding(
                certificate: target.index, status: .unobtainable(told.isEmpty ? [.noEvidence] : told))
        }
        return answer.finding(for: target.index)
    }

    /// Takes a step, and more of them for what a stranger has made long.
    /// - Returns: false if there are none left.
    func step(forBytes count: Int = 0) -> Bool {
        budget.steps -= 1 + count / 128
        return budget.steps > 0
    }
}

/// The certificate that is judged, in its path.
struct RevocationTarget {
    let path: ValidatedPath
    let index: Int

    /// `index` is not the anchor's.
    init(_ path: ValidatedPath, _ index: Int) {
        self.path = path
        self.index = index
    }

    var certificate: Certificate { path.certificates[index] }
    var issuer: Certificate { path.certificates[index + 1] }
    var anchor: Certificate { path.anchor }
}

/// What one kind of evidence says.
struct RevocationAnswer {
    let status: RevocationFinding.Status
    let source: RevocationFinding.Source
    var validFrom: Time
    var validUntil: Time?

    var isRevoked: Bool { if case .revoked = status { true } else { false } }

    func finding(for index: Int) -> RevocationFinding {
        RevocationFinding(
            certificate: index, status: status, source: source, validFrom: validFrom,
            validUntil: isRevoked ? nil : validUntil)
    }
}

// MARK: - Signatures

/// A signature that was checked with a key.
struct SignaturePair: Hashable {
    let evidence: ObjectIdentifier
    /// SHA-256 over the SubjectPublicKeyInfo.
    let key: [UInt8]
}

extension RevocationChecker {
    enum SignatureCheck {
        case valid
        case invalid
        /// The budget ran out.
        case undecided
    }

    func check(_ crl: CertificateRevocationList, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if crl.isKnownToVerify(with: key) { return .valid }
        guard let scheme = crl.signatureScheme else { return .invalid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(crl), key: key), signer, crl.fields.signature, crl.fields.tbs,
            crl.span, scheme)
        if outcome == .valid { crl.remember(verifiedBy: key) }
        return outcome
    }

    func check(_ response: OCSPResponse, signedBy signer: Certificate) -> SignatureCheck {
        let key = signer.subjectPublicKeyInfoSHA256
        if response.isKnownToVerify(with: key) { return .valid }
        guard let scheme = response.signatureScheme else { return .invalid }
        let outcome = check(
            SignaturePair(evidence: ObjectIdentifier(response), key: key), signer, response.fields.signature,
            response.fields.tbs, response.span, scheme)
        if outcome == .valid { response.remember(verifiedBy: key) }
        return outcome
    }

    private func check(
        _ pair: SignaturePair, _ signer: Certificate, _ signature: ByteRange, _ message: ByteRange,
        _ bytes: Span<UInt8>, _ scheme: SignatureScheme
    ) -> SignatureCheck {
        guard !wrongSignatures.contains(pair) else { return .invalid }
        // Keys that are too weak to sign certificates are too weak to withdraw them.
        guard let key = signer.strongVerificationKey, key.fits(scheme) else { return .invalid }
        guard budget.signatures >= key.cost, budget.hashedBytes >= message.count else {
            budget.signatures = 0
            return .undecided
        }
        budget.signatures -= key.cost
        budget.hashedBytes -= message.count
        if key.isValid(signature, over: message, of: bytes, scheme: scheme) { return .valid }
        wrongSignatures.insert(pair)
        return .invalid
    }
}

extension Certificate {
    /// The key, unless it is one that ``AlgorithmCheck`` refuses.
    fileprivate var strongVerificationKey: VerificationKey? {
        switch KeyForm.read(span, storage.fields.spki) {
        case .rsa(let numbers), .rsaPSSOnly(let numbers, _):
            AlgorithmCheck.allowedRSABits.contains(numbers.bits) ? makeVerificationKey() : nil
        default: makeVerificationKey()
        }
    }
}
