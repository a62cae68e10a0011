// SPDX-License-Identifier: Apache-2.0

import PKIX

// "Must staple" (RFC 7633): a leaf that demands an OCSP response in the handshake is refused without a good one. Only a transport
// that asks for staples can say that none came. The demand is the certificate's own, so it doesn't depend on whether revocation is
// to be checked.

extension Evaluation {
    /// Whether the leaf demands a staple and nobody can say whether one came.
    func leavesStapleUnchecked(_ path: [Certificate]) -> Bool {
        trust.settings.staple == .unknown && path.count > 1 && path.first?.requiresStaple == true
    }

    /// What is wrong with the staple of a path whose leaf demands one.
    func stapleFailure(of path: ValidatedPath) -> TrustFailure? {
        // Nobody could have signed one for a leaf that is its own anchor.
        guard path.certificates.count > 1, path.leaf.requiresStaple else { return nil }
        let found: String
        switch trust.settings.staple {
        case .unknown: return nil
        case .none: found = "none"
        case .given(let der):
            switch stapleInquiry(der).findings(for: path).first?.status {
            case .good: return nil
            case .unobtainable(let obstacles): found = obstacles.map(\.name).joined(separator: ", ")
            case .revoked: found = "revoked"
            case .unchecked, nil: found = "unchecked"
            }
        }
        return TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text(found))
    }

    /// Refuses a leaf that demands a staple and stands in for its own anchor, unless the transport can't say whether one came. No
    /// response can be authenticated without a validated issuer. A self-issued leaf has no CA that could have signed one.
    func stapleFailure(ofStandIn leaf: Certificate) -> TrustFailure? {
        guard leaf.requiresStaple, !leaf.isSelfIssued else { return nil }
        let found: String
        switch trust.settings.staple {
        case .unknown: return nil
        case .none: found = "none"
        case .given: found = RevocationObstacle.noEvidence.name
        }
        return TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text(found))
    }

    /// The seconds around the verify date in which the staple of a leaf that demands one counts as it does; nil for no bound.
    func stapleWindow(of path: ValidatedPath) -> (from: Time?, until: Time?) {
        guard case .given(let der) = trust.settings.staple, path.leaf.requiresStaple else {
            return (from: nil, until: nil)
        }
        return stapleInquiry(der).window
    }

    private func stapleInquiry(_ der: [UInt8]) -> RevocationEvaluation {
        var rules = trust.settings.revocationRules
        (rules.usesOCSP, rules.usesCRLs, rules.scope) = (true, false, .leaf)
        return RevocationEvaluation(
            .bestEffort, staple: der, RevocationData(), rules, certificates: [], at: time,
            memory: trust.settings.signatureMemory)
    }
}
