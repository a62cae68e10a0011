// Who may have signed a CRL (RFC 5280 § 6.3.3 (f)): a certificate of the CRL issuer's name with a path to the anchor of the
// target's own path, whose key usage, if it has one, allows signing CRLs. In most cases that is a CA of the path itself.

/// A question for a path.
struct SignerQuestion: Hashable {
    let signer: Certificate
    let anchor: Certificate
}

/// A question whether a CRL signer will do: all that its answer depends on but the evidence and what is left of the budget.
struct StandingQuestion: Hashable {
    let signer: Certificate
    /// The target's path above it: its CAs have findings of their own.
    let above: [Certificate]
    /// What is being judged already.
    let underway: [Certificate]
}

extension RevocationChecker {
    /// The certificate with whose key the CRL is signed, or why there is none that counts.
    enum Signer {
        case found(Certificate)
        case missing(RevocationObstacle)
    }

    /// Chains of signers of signers that are followed. Real ones have one link.
    private static let maximumDepth = 4

    func signer(of crl: CertificateRevocationList, _ target: RevocationTarget) -> Signer {
        var obstacle = RevocationObstacle.crlSignerNotFound
        let certificates = target.path.certificates
        let above = Array(certificates.dropFirst(target.index + 1))
        for candidate in candidates(for: crl, above) {
            guard step() else { return .missing(.budgetExceeded) }
            switch check(crl, signedBy: candidate) {
            case .valid: return .found(candidate)
            case .invalid: obstacle = .crlSignatureInvalid
            case .undecided: return .missing(.budgetExceeded)
            }
        }
        // Whoever presents certificates can present many with long names, so they are looked at only if there is need to. Below the
        // target: a CRL that covers the certificate of a CA above its signer's.
        for candidate in candidates(for: crl, certificates.prefix(target.index + 1) + evidence.certificates)
        where !above.contains(candidate) {
            guard step() else { return .missing(.budgetExceeded) }
            // Cheapest first; the signature is checked once per key in any case.
            switch check(crl, signedBy: candidate) {
            case .valid: break
            case .invalid:
                obstacle = .crlSignatureInvalid
                continue
            case .undecided: return .missing(.budgetExceeded)
            }
            // One signer may have signed many lists, and judging it may take a look at each of them.
            let question = StandingQuestion(signer: candidate, above: above, underway: underway)
            let standing = standings[question] ?? self.standing(of: candidate, target)
            // What a spent budget has kept from being looked at is no judgement.
            if budget.steps > 0, budget.signatures > 0 { standings[question] = .some(standing) }
            guard let found = standing else { return .found(candidate) }
            obstacle = found
        }
        return .missing(budget.steps > 0 ? obstacle : .budgetExceeded)
    }

    /// Those of the certificates that may have signed it, once each; those whose key identifier the CRL names first.
    private func candidates(for crl: CertificateRevocationList, _ certificates: [Certificate]) -> [Certificate] {
        var found: [Certificate] = []
        for certificate in certificates where maySign(crl, certificate) && !found.contains(certificate) {
            found.append(certificate)
        }
        guard found.count > 1, crl.fields.extensions.keyIdentifier.isPresent else { return found }
        let matching = found.filter { crl.namesKey(of: $0) }
        return matching + found.filter { !crl.namesKey(of: $0) }
    }

    private func maySign(_ crl: CertificateRevocationList, _ certificate: Certificate) -> Bool {
        let fields = certificate.storage.fields
        guard step(forBytes: fields.subject.count),
            namesMatch(crl.span, crl.fields.issuer, certificate.span, fields.subject)
        else { return false }
        return !fields.extensions.has(.keyUsage) || fields.extensions.keyUsage.contains(.cRLSign)
    }

    /// What is wrong with a signer that is not in the target's path; nil if it has a path of its own to the same anchor and is not
    /// revoked.
    private func standing(of signer: Certificate, _ target: RevocationTarget) -> RevocationObstacle? {
        guard let path = path(of: signer, to: target) else { return .crlSignerNotFound }
        guard underway.count < Self.maximumDepth else { return .budgetExceeded }
        for index in path.certificates.indices.dropLast() {
            let certificate = path.certificates[index]
            // The CAs of the target's path have findings of their own, and what is being judged already need not wait for itself: a
            // CRL may cover the certificate with which it is signed, as when a CA changes its key. It is not the only one that is
            // asked then (`CRLProgress.isSigner`).
            guard !underway.contains(certificate), !isAbove(target, certificate, path.certificates[index + 1]) else {
                continue
            }
            underway.append(certificate)
            let found = finding(RevocationTarget(path, index), isStapled: false)
            underway.removeLast()
            switch found.status {
            case .good: continue
            case .revoked: return .signerRevoked
            case .unobtainable, .unchecked:
                if rules.requiresPositiveAnswer { return .signerUnchecked }
            }
        }
        return nil
    }

    /// Whether a certificate stands in the target's path, above it and below the same issuer.
    private func isAbove(_ target: RevocationTarget, _ certificate: Certificate, _ issuer: Certificate) -> Bool {
        guard rules.scope == .path else { return false }
        let certificates = target.path.certificates
        for index in (target.index + 1)..<certificates.count where certificates[index] == certificate {
            return index + 1 == certificates.count || certificates[index + 1] == issuer
        }
        return false
    }

    // MARK: - Paths

    /// A path from a CRL's signer to the anchor of the target's own path.
    private func path(of signer: Certificate, to target: RevocationTarget) -> ValidatedPath? {
        path(SignerQuestion(signer: signer, anchor: target.anchor), target.path.certificates + evidence.certificates)
    }

    /// The path of two certificates from an OCSP signer to the CA that appointed it.
    func path(of delegate: Certificate, below issuer: Certificate) -> ValidatedPath? {
        path(SignerQuestion(signer: delegate, anchor: issuer), [])
    }

    private func path(_ question: SignerQuestion, _ others: [Certificate]) -> ValidatedPath? {
        if let known = signerPaths[question] { return known }
        guard budget.paths > 0 else { return nil }
        budget.paths -= 1
        let policy = ValidationPolicy(
            profile: .rfc5280, purpose: .any, budget: ValidationBudget(signatures: 100, steps: 500, depth: 12))
        let validator = PathValidator(anchors: AnchorStore([question.anchor]), policy: policy, memory: memory)
        let found = validator.validate(question.signer, presented: others, host: nil, at: time).path
        signerPaths[question] = .some(found)
        return found
    }
}

extension CertificateRevocationList {
    /// Whether its authority key identifier is the certificate's subject key identifier. A hint, never a proof.
    fileprivate func namesKey(of certificate: Certificate) -> Bool {
        let wanted = fields.extensions.keyIdentifier
        let found = certificate.storage.fields.extensions.subjectKeyIdentifier
        return wanted.isPresent && found.isPresent && bytesEqual(span, wanted, certificate.span, found)
    }
}
