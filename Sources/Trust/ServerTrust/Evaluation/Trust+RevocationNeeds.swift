// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Returns the revocation data that a verdict on this trust object lacks, for each certificate of its path without
    /// an answer.
    ///
    /// Empty if revocation is off, if nothing is missing, and if the path was refused for other reasons. Addresses in
    /// certificates that weren't validated aren't used.
    ///
    /// Complete CRLs in ``TrustSettings/revocationData`` may refer to delta CRLs (RFC 5280 § 5.2.6). The result
    /// includes these delta CRLs if the evaluation verified the complete CRL with the key of the certificate's issuer.
    /// References in delta CRLs aren't followed. For CRLs that were fetched for this evaluation, delta CRLs are
    /// included even if the status is good without them, because they are newer.
    ///
    /// Signers that aren't on the path (CRL signers with their own key, and delegated OCSP responders) are included if
    /// their own status is open. For responders, only CRLs are included.
    func revocationNeeds(after verdict: TrustVerdict) -> [RevocationNeed] {
        guard settings.revocation.mode != .off, verdict.reachesAnchor, verdict.path.first == presentedChain.leaf,
            verdict.failures.allSatisfy({ isAboutEvidence($0, of: verdict) })
        else { return [] }
        let needs =
            verdict.revocation.compactMap { need(of: $0, in: verdict.path) } + signerNeeds(of: verdict)
        return needs.filter { $0.responders != nil || !$0.crls.isEmpty }
    }

    /// Whether more evidence may resolve a failure. Either none was available, or the only evidence is of a hold and
    /// has expired.
    private func isAboutEvidence(_ failure: TrustFailure, of verdict: TrustVerdict) -> Bool {
        guard failure.code == .certificateRevoked else { return failure.code == .revocationUnavailable }
        return verdict.revocation.contains { $0.certificate == failure.certificate && $0.isExpiredHold }
    }

    private func need(of finding: RevocationFinding, in path: [Certificate]) -> RevocationNeed? {
        let index = finding.certificate
        guard path.indices.contains(index + 1), index == 0 || settings.revocation.scope == .path else {
            return nil
        }
        switch finding.status {
        case .revoked where !finding.isExpiredHold: return nil
        case .unobtainable, .revoked:
            return RevocationNeed(
                Array(path[index...]), at: index, settings.revocation, lists: lists(signedBy: path[index + 1]))
        case .good:
            let fetched = Self.complete(settings.revocationData.fetchedLists, signedBy: path[index + 1])
            guard finding.source == .crl else { return nil }
            return RevocationNeed(
                updating: fetched, of: Array(path[index...]), at: index, settings.revocation)
        case .exempt, .unchecked: return nil
        }
    }

    /// Returns the needs of signers outside the path, for findings that depend on a signer whose status is open.
    private func signerNeeds(of verdict: TrustVerdict) -> [RevocationNeed] {
        let concerned = verdict.revocation.first(where: \.dependsOnOpenSigner)
        guard let concerned, let path = ValidatedPath(validatedBySystem: verdict.path),
            let evaluation = revocationEvaluation(at: settings.verifyDate.time)
        else { return [] }
        return evaluation.openSigners(of: path).map { signer in
            RevocationNeed(
                signer.path, at: concerned.certificate, settings.revocation,
                lists: lists(signedBy: signer.path[1]), signer: signer)
        }
    }

    /// Returns the available complete CRLs that were verified with the CA's key. Addresses in other CRLs aren't used.
    private func lists(signedBy issuer: Certificate) -> [CertificateRevocationList] {
        guard settings.revocation.usesCRLs else { return [] }
        return Self.complete(
            settings.revocationData.lists
                + settings.revocationData.crls.compactMap(RevocationMemory.shared.knownList(der:)), signedBy: issuer)
    }

    private static func complete(
        _ lists: [CertificateRevocationList], signedBy issuer: Certificate
    ) -> [CertificateRevocationList] {
        let key = issuer.subjectPublicKeyInfoSHA256
        return lists.filter { !$0.isDelta && $0.isVerified(withKey: key) }
    }
}

extension RevocationFinding {
    /// Whether the finding would be better if the status of a signer outside the path weren't open.
    fileprivate var dependsOnOpenSigner: Bool {
        if case .unobtainable(let obstacles) = status, obstacles.contains(.signerUnchecked) { return true }
        return notes.contains(.crlSignerUnchecked) || notes.contains(.ocspSignerUnchecked)
    }
}

extension TrustEvaluator {
    /// Returns the revocation data that this evaluator's verdict on a trust object lacks. See
    /// ``Trust/revocationNeeds(after:)``.
    package func revocationNeeds(of trust: Trust, after verdict: TrustVerdict) -> [RevocationNeed] {
        var needs: [RevocationNeed] = []
        for variant in trustVariants(of: trust) ?? [trust] {
            needs += variant.revocationNeeds(after: verdict).filter { !needs.contains($0) }
        }
        return needs
    }
}
