// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// What could be fetched for a verdict on this trust object: for each certificate of its path that couldn't be checked.
    ///
    /// Empty if revocation is off, if nothing is missing, and for a path that is refused for other
    /// reasons: nobody's addresses are asked who has not been validated.
    ///
    /// Where complete CRLs in ``revocationData`` say that their delta CRLs are (RFC 5280 § 5.2.6) is told if the evaluation has seen
    /// the key of the certificate's issuer verify them; a delta CRL's own word isn't followed.
    ///
    /// Not told: what certificates outside of the path would need. A CRL signer with a key of its own, or whoever answers OCSP
    /// requests for a CA, is judged by the evidence at hand alone: put its issuer's CRL there where an answer is
    /// ``RevocationCheck/required``. ``evaluate(fetching:)`` looks for addresses once for each certificate, so it doesn't ask for
    /// the delta CRLs of what it has itself fetched.
    public func revocationNeeds(after verdict: TrustVerdict) -> [RevocationNeed] {
        guard settings.revocation != .off, verdict.reachesAnchor, verdict.path.first == presentedChain.leaf,
            verdict.failures.allSatisfy({ $0.code == .revocationUnavailable })
        else { return [] }
        return verdict.revocation.compactMap { finding in
            guard case .unobtainable = finding.status, verdict.path.indices.contains(finding.certificate + 1),
                finding.certificate == 0 || settings.revocationRules.scope == .path
            else { return nil }
            let need = RevocationNeed(
                verdict.path[finding.certificate], at: finding.certificate,
                issuer: verdict.path[finding.certificate + 1], settings.revocationRules,
                lists: lists(signedBy: verdict.path[finding.certificate + 1]),
                usesNetwork: settings.allowsRevocationFetching)
            return need.responders == nil && need.crls.isEmpty ? nil : need
        }
    }

    /// The complete CRLs at hand that the key of a CA was seen to verify: nobody else's addresses are asked.
    private func lists(signedBy issuer: Certificate) -> [CertificateRevocationList] {
        guard settings.revocationRules.usesCRLs else { return [] }
        let key = issuer.subjectPublicKeyInfoSHA256
        return
            (settings.revocationData.lists
            + settings.revocationData.crls.compactMap(RevocationMemory.shared.knownList(der:)))
            .filter { !$0.isDelta && $0.isVerified(withKey: key) }
    }
}

extension TrustEvaluator {
    /// What could be fetched for this evaluator's verdict on a trust object; see ``Trust/revocationNeeds(after:)``.
    public func revocationNeeds(of trust: Trust, after verdict: TrustVerdict) -> [RevocationNeed] {
        var needs: [RevocationNeed] = []
        for variant in trustVariants(of: trust) ?? [trust] {
            needs += variant.revocationNeeds(after: verdict).filter { !needs.contains($0) }
        }
        return needs
    }
}
