// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Returns the revocation data that a verdict on this trust object lacks, for each certificate of its path without an answer.
    ///
    /// Empty if revocation is off, if nothing is missing, and for a path that is refused for other reasons: addresses in certificates
    /// that have not been validated are not used.
    ///
    /// Delta CRLs that complete CRLs in ``TrustSettings/revocationData`` refer to (RFC 5280 § 5.2.6) are included if the evaluation has verified the
    /// complete CRL with the key of the certificate's issuer; references in delta CRLs are not followed.
    ///
    /// Not included: data for certificates outside of the path. The revocation of a CRL signer with its own key, and of a delegated OCSP
    /// responder, is checked with the data at hand alone; if it is ``RevocationCheck/required``, add its issuer's CRL there.
    /// ``evaluate(fetching:)`` collects the addresses once for each certificate, so it doesn't request the delta CRLs of lists that it
    /// has fetched itself.
    package func revocationNeeds(after verdict: TrustVerdict) -> [RevocationNeed] {
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

    /// Returns the complete CRLs at hand whose signature the CA's key verified; addresses in other CRLs are not used.
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
    /// Returns the revocation data that this evaluator's verdict on a trust object lacks; see ``Trust/revocationNeeds(after:)``.
    package func revocationNeeds(of trust: Trust, after verdict: TrustVerdict) -> [RevocationNeed] {
        var needs: [RevocationNeed] = []
        for variant in trustVariants(of: trust) ?? [trust] {
            needs += variant.revocationNeeds(after: verdict).filter { !needs.contains($0) }
        }
        return needs
    }
}
