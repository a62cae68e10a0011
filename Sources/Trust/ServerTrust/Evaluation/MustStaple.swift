// SPDX-License-Identifier: Apache-2.0

import PKIX

// "Must staple" (RFC 7633): a leaf that requires an OCSP response in the handshake is refused without a good one. Only
// a transport that requests staples can report that none came. The requirement comes from the certificate, so it
// doesn't depend on the revocation settings.

extension Evaluation {
    /// Whether the leaf requires a staple and the transport can't report whether one came.
    func leavesStapleUnchecked(_ path: [Certificate]) -> Bool {
        trust.presentedChain.staple == .unknown && path.count > 1 && path.first?.requiresStaple == true
    }

    /// Returns the failure of a path whose leaf requires a staple, or nil if its staple is good or the state is
    /// unknown.
    func stapleFailure(of path: ValidatedPath) -> TrustFailure? {
        // If a leaf is its own anchor, no CA signs a response for it.
        guard path.certificates.count > 1, path.leaf.requiresStaple else { return nil }
        return missingStaple {
            switch requiredStaple?.findings(for: path).first?.status {
            case .good: nil
            case .unobtainable(let obstacles): obstacles.map(\.name).joined(separator: ", ")
            case .revoked: "revoked"
            case .exempt(let exemption): exemption.rawValue
            case .unchecked, nil: "unchecked"
            }
        }
    }

    /// Returns the failure of a leaf that requires a staple and is its own anchor, or nil if the transport can't report
    /// whether one came.
    ///
    /// Without a validated issuer, no response can be authenticated. A self-issued leaf has no CA that could sign one.
    /// A leaf whose names take long to compare counts as issued by a CA.
    func stapleFailure(ofLeafAsAnchor leaf: Certificate) -> TrustFailure? {
        guard leaf.requiresStaple, leaf.isSelfIssued(atMost: 1_000_000) != true else { return nil }
        return missingStaple { RevocationObstacle.noEvidence.name }
    }

    /// Returns the failure of a missing or unusable staple.
    /// - Parameter problem: returns the reason why the staple of the handshake isn't a good answer, or nil if it is one.
    private func missingStaple(_ problem: () -> String?) -> TrustFailure? {
        let found: String? =
            switch trust.presentedChain.staple {
            case .unknown: nil
            case .none: "none"
            case .given: problem()
            }
        return found.map { TrustFailure(.stapleMissing, certificate: 0, role: .leaf, found: .text($0)) }
    }

    /// Returns the interval around the verify date in which the staple of a leaf that requires one keeps its status. A
    /// bound is nil if there isn't one.
    func stapleWindow(of path: ValidatedPath) -> (from: Time?, until: Time?) {
        requiredStaple?.window(of: path) ?? (from: nil, until: nil)
    }
}

extension Trust {
    /// Returns the evaluation of the staple for a leaf that requires one, otherwise nil.
    func requiredStapleEvaluation(at time: Time) -> RevocationEvaluation? {
        guard presentedChain.leaf?.requiresStaple == true, case .given(let der) = presentedChain.staple else {
            return nil
        }
        var policy = settings.revocation
        (policy.mode, policy.sources, policy.scope) = (.bestEffort, .ocsp, .leaf)
        return RevocationEvaluation(
            policy, staple: der, RevocationData(), certificates: [], at: time, memory: settings.signatureMemory)
    }
}
