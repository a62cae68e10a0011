// SPDX-License-Identifier: Apache-2.0

// Finds the authorized signers of a CRL (RFC 5280 § 6.3.3 (f)):
//
// (a) A CA in the target's own path, above the target, with the CRL issuer's name. If the CA has a key usage, it must
// allow signing CRLs.
//
// (b) A certificate with that name and a key usage that allows signing CRLs. A CA in the target's path above the target
// must have issued it directly, with its own key. Examples are a CA with a separate key for CRLs, a CA that has changed
// its key, and an issuer of indirect CRLs.
//
// RFC 5280 only requires a path from the signer to the same anchor. That isn't enough: any CA below that anchor,
// however constrained, could issue itself a certificate in another CA's name and sign CRLs for that CA. Another anchor
// with the same name isn't an authorized signer either.
//
// A certificate in (b) may fail to validate at the verify date. Its holder can then only revoke.
// This requires that the certificate is signed with SHA-1, has a weak key, or was valid at the date of the list.

/// The cache key for a check of whether a CA has issued a signer's certificate.
struct SignerPathKey: Hashable {
    let signer: Certificate
    let issuer: Certificate
}

/// The result of checking whether a CA has issued a signer's certificate.
enum SignerPath {
    case valid(ValidatedPath)
    /// The failures of the two certificates as a path, or nil if they don't form a path.
    case rejected([TrustFailure]?)
}

/// The cache key for a check of whether a CRL signer is itself revoked. It contains everything that affects the result,
/// except for the evidence.
struct SignerVerdictKey: Hashable {
    /// The signer's certificate and the path of the CA that issued it.
    let path: [Certificate]
    let signersInProgress: [Certificate]
    /// Whether the engine is examining OCSP responses about a responder. It then checks the responders of these
    /// responses only with CRLs.
    let isExaminingDelegate: Bool
}

/// The revocation status of a CRL signer.
enum SignerVerdict {
    case good([RevocationNote])
    case revoked
    /// Evidence that can only revoke says that the signer is revoked.
    case doubtful
    case unknown
}

/// An authorized signer of evidence whose own certificate is outside the examined path, and whose revocation status is
/// unknown.
package struct OpenSigner: Sendable, Hashable {
    /// The certificates from the signer to the anchor.
    package let path: [Certificate]
    /// Whether the signer is an OCSP responder with a certificate from the CA. Otherwise it has signed a CRL.
    package let isResponder: Bool
}

/// An authorized signer of a CRL.
struct ListSigner {
    /// SHA-256 of the SubjectPublicKeyInfo.
    let key: [UInt8]
    /// Whether this is the key that signed the target.
    var isIssuersKey = false
    /// Whether this is the target's own key and differs from its issuer's key.
    var isTargetsKey = false
    /// Whether the signer's lists may establish the good status of the target. False if the policy requires a check of
    /// the signer's own certificate and the check isn't possible.
    var canEstablishGood = true
    /// The notes for a finding that relies on this signer's lists.
    var notes: [RevocationNote] = []
    /// The reservations that limit this signer's lists to revoking. Empty if there aren't any.
    var reservations: [RevocationReservation] = []
}

extension RevocationChecker {
    /// The largest number of signers that are examined in a chain of signers of signers. Real chains have one. The
    /// lists of further signers can still revoke. If the policy requires a positive answer, they don't establish the
    /// good status. Each level costs as much again for every signer of the CA.
    private static let maximumDepth = 2

    /// The largest number of signers that are recorded for a separate check. Real paths have one or two.
    private static let maximumOpenSigners = 8

    /// Finds the lists that a CA in the path has signed, (a).
    func findSignersInPath(_ lists: inout [RelevantList], _ target: RevocationTarget) {
        for index in lists.indices {
            let crl = lists[index].crl
            for authority in candidates(for: crl, target) where lists[index].signer == nil {
                let signature = check(crl, signedBy: authority)
                if let obstacle = signature.obstacle {
                    lists[index].record(.failure(obstacle))
                } else {
                    var signer = signer(authority.subjectPublicKeyInfoSHA256, target)
                    if signature == .weak { signer.reservations = [.signatureWeak] }
                    lists[index].record(.found(signer))
                }
            }
        }
    }

    /// Returns the CAs in the path that may have signed a list. CAs whose key identifier the list names come first.
    private func candidates(for crl: CertificateRevocationList, _ target: RevocationTarget) -> [Certificate] {
        let found = target.above.filter { authority in
            let extensions = authority.storage.fields.extensions
            return (!extensions.has(.keyUsage) || extensions.keyUsage.contains(.cRLSign))
                && isOfName(crl, authority)
        }
        guard found.count > 1 else { return found }
        return found.filter { crl.namesKey(of: $0) } + found.filter { !crl.namesKey(of: $0) }
    }

    /// Finds the signers of the remaining lists among certificates that CAs in the path have issued for this purpose,
    /// (b).
    ///
    /// The path's own certificates come first, because a CRL may cover the certificate of a CA above its signer. The
    /// certificates in the evidence follow in their order.
    func findAuthorizedSigners(_ lists: inout [RelevantList], _ target: RevocationTarget) {
        var remaining = lists.indices.filter { lists[$0].signer == nil }
        var tried: Set<Certificate> = []
        for candidate in target.path.certificates.prefix(target.index + 1) + evidence.certificates {
            guard !remaining.isEmpty, budget.steps > 0 else { return }
            let extensions = candidate.storage.fields.extensions
            guard extensions.has(.keyUsage), extensions.keyUsage.contains(.cRLSign) else { continue }
            let named = remaining.filter { isOfName(lists[$0].crl, candidate) }
            guard !named.isEmpty, step(forBytes: candidate.storage.count / 8), !target.above.contains(candidate),
                tried.insert(candidate).inserted
            else { continue }
            for index in named { lists[index].record(authorizedSigner(candidate, of: lists[index].crl, target)) }
            remaining.removeAll { lists[$0].signer != nil }
        }
    }

    private func authorizedSigner(
        _ candidate: Certificate, of crl: CertificateRevocationList, _ target: RevocationTarget
    ) -> RelevantList.SignerSearch {
        // The signature is checked first, so a certificate whose key has signed nothing costs no path validation.
        let signature = check(crl, signedBy: candidate)
        if let obstacle = signature.obstacle { return .failure(obstacle) }
        var signer = signer(candidate.subjectPublicKeyInfoSHA256, target)
        if signature == .weak { signer.reservations.note(.signatureWeak) }
        guard let authorization = authorization(of: candidate, target, statedAt: crl.fields.thisUpdate) else {
            return .failure(budget.paths > 0 && budget.steps > 0 ? .crlSignerNotFound : .budgetExceeded)
        }
        for reservation in authorization.reservations { signer.reservations.note(reservation) }
        guard candidate != target.certificate else { return .found(signer) }
        // The revocation of a signer can't depend on itself.
        guard !signersInProgress.contains(candidate) else { return .failure(.signerUnchecked) }
        switch signerStatus(candidate, authorization.path) {
        case .good(let notes): signer.notes = notes
        case .revoked: return .failure(.signerRevoked)
        case .doubtful: signer.reservations.note(.signerRevoked)
        case .unknown:
            signer.canEstablishGood = policy.mode != .required
            signer.notes = [.crlSignerUnchecked]
        }
        return .found(signer)
    }

    private func signer(_ key: [UInt8], _ target: RevocationTarget) -> ListSigner {
        let isIssuersKey = key == target.issuer.subjectPublicKeyInfoSHA256
        return ListSigner(
            key: key, isIssuersKey: isIssuersKey,
            isTargetsKey: !isIssuersKey && key == target.certificate.subjectPublicKeyInfoSHA256)
    }

    private func isOfName(_ crl: CertificateRevocationList, _ certificate: Certificate) -> Bool {
        isSameName(crl.span, crl.fields.issuer, certificate.span, certificate.storage.fields.subject)
    }

    // MARK: - Authorization and verdict

    /// Returns the path from a signer to the anchor, through the CA that issued the signer's certificate with its own
    /// key, and the reservations about that certificate. nil if no CA above the target in its path has issued the
    /// certificate.
    /// - Parameter date: the date of the statement.
    private func authorization(
        of candidate: Certificate, _ target: RevocationTarget, statedAt date: Time
    ) -> (path: ValidatedPath, reservations: [RevocationReservation])? {
        for index in target.above.indices where isNamed(candidate, asIssuedBy: target.above[index]) {
            guard let reservations = reservations(about: candidate, below: target.above[index], statedAt: date) else {
                continue
            }
            let path = ValidatedPath(
                certificates: [candidate] + target.above[index...], anchorFacts: target.path.anchorFacts)
            return (path, reservations)
        }
        return nil
    }

    /// Returns whether a signer with a separate certificate is revoked. The CAs above the signer are CAs in the
    /// target's path, which have their own findings.
    private func signerStatus(_ signer: Certificate, _ path: ValidatedPath) -> SignerVerdict {
        let key = SignerVerdictKey(
            path: path.certificates, signersInProgress: signersInProgress, isExaminingDelegate: isExaminingDelegate)
        if let known = signerVerdicts[key] { return known }
        guard signersInProgress.count < Self.maximumDepth else { return .unknown }
        let outer = hasExceededBudget
        hasExceededBudget = false
        defer { hasExceededBudget = hasExceededBudget || outer }
        signersInProgress.append(signer)
        let found = finding(RevocationTarget(path, 0), isStapled: false)
        signersInProgress.removeLast()
        let verdict: SignerVerdict =
            switch found.status {
            case .good: .good(found.notes)
            case .revoked: found.notes.contains { RevocationReservation(note: $0) != nil } ? .doubtful : .revoked
            case .unobtainable, .exempt, .unchecked: .unknown
            }
        if case .unobtainable = found.status { noteOpenSigner(path, isResponder: false) }
        // One signer may have signed many lists. The engine doesn't store a result after the budget has run out.
        if !hasExceededBudget { signerVerdicts[key] = verdict }
        return verdict
    }

    /// Records a signer whose revocation status the available evidence leaves unknown.
    func noteOpenSigner(_ path: ValidatedPath, isResponder: Bool) {
        let signer = OpenSigner(path: path.certificates, isResponder: isResponder)
        guard openSigners.count < Self.maximumOpenSigners, !openSigners.contains(signer) else { return }
        openSigners.append(signer)
    }

    /// Returns the reservations about a signer's certificate that a CA has issued directly, with its own key. The
    /// result is empty if the certificate is valid at the verify date, or nil if the certificate grants no authority.
    /// - Parameter date: the date of the statement that the signer has signed.
    func reservations(
        about signer: Certificate, below issuer: Certificate, statedAt date: Time
    ) -> [RevocationReservation]? {
        guard case .rejected(let failures) = path(of: signer, below: issuer) else {
            // A signature with nonstandard parameters counts as weak, as in lists and responses.
            let scheme = EvidenceScheme(signer.span, signer.storage.fields.signatureAlgorithm)
            return scheme?.isWeak == true ? [.signatureWeak] : []
        }
        guard let failures else { return nil }
        var reservations: [RevocationReservation] = []
        for failure in failures {
            // The CA is in the examined path, which may have been accepted with this failure.
            if failure.certificate == 1 {
                reservations.note(.signerNotCurrent)
                continue
            }
            guard failure.certificate == 0 else { return nil }
            switch failure.code {
            case .signatureUsesSHA1, .rsaKeyTooSmall, .signatureParametersUnsupported, .signatureAlgorithmMismatch:
                reservations.note(.signatureWeak)
            case .certificateExpired, .certificateNotYetValid:
                guard signer.notBefore <= date, date <= signer.notAfter else { return nil }
                reservations.note(.signerNotCurrent)
            default: return nil
            }
        }
        // The path validator doesn't verify weak signatures.
        switch check(signer, signedBy: issuer) {
        case .valid, .weak: return reservations
        case .invalid, .unsupported, .undecided: return nil
        }
    }

    /// Returns the path of two certificates, from a signer to a CA, or the failures of that path.
    private func path(of signer: Certificate, below issuer: Certificate) -> SignerPath {
        let key = SignerPathKey(signer: signer, issuer: issuer)
        if let known = signerPaths[key] { return known }
        guard budget.paths > 0 else {
            hasExceededBudget = true
            return .rejected(nil)
        }
        budget.paths -= 1
        let policy = ValidationPolicy(
            profile: .rfc5280, purpose: .any, budget: ValidationBudget(signatures: 100, steps: 500, depth: 12))
        let validator = PathValidator(anchors: AnchorStore([issuer]), policy: policy, memory: memory)
        let found: SignerPath
        switch validator.validate(signer, host: nil, at: time) {
        case .valid(let path): found = path.certificates.count == 2 ? .valid(path) : .rejected(nil)
        case .rejected(let rejection):
            let direct = rejection.paths.first { $0.reachesAnchor && $0.certificates == [signer, issuer] }
            found = .rejected(direct?.failures)
        }
        signerPaths[key] = found
        return found
    }
}

extension RevocationChecker.SignatureCheck {
    /// The obstacle to using a CRL, or nil for a valid signature, even a weak one.
    fileprivate var obstacle: RevocationObstacle? {
        switch self {
        case .valid, .weak: nil
        case .invalid: .crlSignatureInvalid
        case .unsupported: .signatureUnsupported
        case .undecided: .budgetExceeded
        }
    }
}

extension CertificateRevocationList {
    /// Whether the CRL's authority key identifier equals the certificate's subject key identifier. A match is a hint,
    /// never a proof.
    fileprivate func namesKey(of certificate: Certificate) -> Bool {
        let wanted = fields.extensions.keyIdentifier
        let found = certificate.storage.fields.extensions.subjectKeyIdentifier
        return wanted.isPresent && found.isPresent && bytesEqual(span, wanted, certificate.span, found)
    }
}
