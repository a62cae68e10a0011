// SPDX-License-Identifier: Apache-2.0

/// A path from leaf to anchor that the engine built and checked. Only the engine makes values of this type.
public struct ValidatedPath: Sendable, Hashable {
    /// The certificates, leaf first, anchor last. One certificate if the leaf itself is the anchor.
    public let certificates: [Certificate]

    /// The failures of the path that exceptions agreed by a user cover, most specific first; empty for a path on which
    /// every check passed.
    public let excused: [TrustFailure]

    /// The origin of the anchor, and the conditions on it that the path has met; nil for a path that the operating system has validated.
    package let anchorFacts: AnchorFacts?

    init(certificates: [Certificate], excused: [TrustFailure] = [], anchorFacts: AnchorFacts? = nil) {
        self.certificates = certificates
        self.excused = excused
        self.anchorFacts = anchorFacts
    }

    /// Creates a path that the operating system's own evaluator built and checked, leaf first; nil without a
    /// certificate.
    package init?(validatedBySystem certificates: [Certificate]) {
        guard !certificates.isEmpty else { return nil }
        self.init(certificates: certificates)
    }

    /// The certificate that was checked.
    public var leaf: Certificate { certificates[0] }

    /// The trust anchor.
    public var anchor: Certificate { certificates[certificates.count - 1] }

    /// The certificates between leaf and anchor, the leaf's issuer first.
    public var intermediates: ArraySlice<Certificate> { certificates.dropFirst().dropLast() }

    /// The first second at which all certificates of the path are valid.
    public var validFrom: Time { certificates.map(\.notBefore).max() ?? leaf.notBefore }

    /// The last second at which all certificates of the path are valid.
    public var validUntil: Time { certificates.map(\.notAfter).min() ?? leaf.notAfter }

    /// Whether the path is valid for the policy of extended validation (CA/Browser Forum, 2.23.140.1.1), which the leaf states, and the root
    /// programs accept that of its anchor: where their conditions name policies, the path is valid for one of them. At most the first 64 of a
    /// program count.
    package var assertsExtendedValidation: Bool {
        guard leaf.certificatePolicies?.contains(where: { $0.identifier == .extendedValidation }) == true,
            isValid(for: .extendedValidation)
        else { return false }
        return (anchorFacts?.conditions ?? []).allSatisfy { conditions in
            conditions.extendedValidationPolicies?.prefix(64).contains(where: isValid(for:)) ?? true
        }
    }

    /// Whether the path is valid for a certificate policy (RFC 5280 § 6.1 with this one policy as the initial set and
    /// an explicit policy required): the leaf states it, and every CA up to the anchor allows it, by name or by
    /// anyPolicy.
    ///
    /// A path of one certificate is valid for none, as no CA has stated the policy. Not checked: whether the anchor is
    /// accepted as one that may assert the policy.
    package func isValid(for policy: OID) -> Bool {
        guard certificates.count > 1 else { return false }
        var selfIssued: UInt64 = 0
        for index in certificates.indices.dropFirst().dropLast() where certificates[index].isSelfIssued {
            selfIssued |= 1 << UInt64(index)
        }
        var meter = WorkMeter(ValidationBudget())
        let outcome = CertificatePoliciesCheck.process(
            CandidatePath(certificates: certificates, selfIssued: selfIssued),
            ValidationPolicy.CertificatePolicies(acceptable: [policy], requireExplicit: true), &meter)
        if case .valid = outcome { return true }
        return false
    }
}

extension ValidatedPath {
    /// The excess of the leaf's validity over the CA/Browser baseline (§ 6.3.2), for a path to an anchor of a root program; nil for a leaf
    /// within its limit, and under other anchors.
    package var validityExcess: ValidityExcess? {
        guard anchorFacts?.isPublic == true, certificates.count > 1 else { return nil }
        return ValidityPeriodCheck.excess(leaf)
    }
}

/// A path that was built and refused, or a start of one that led to no anchor.
public struct RejectedPath: Sendable, Hashable {
    /// The certificates, leaf first. The last one is an anchor only if ``reachesAnchor``.
    public let certificates: [Certificate]
    /// Whether the last certificate is an anchor.
    public let reachesAnchor: Bool
    /// All failures of the path, most specific first. Signatures are checked only on paths that reach an anchor, from
    /// the leaf up to the first that is wrong.
    public let failures: [TrustFailure]

    package init(certificates: [Certificate], reachesAnchor: Bool, failures: [TrustFailure]) {
        self.certificates = certificates
        self.reachesAnchor = reachesAnchor
        self.failures = failures
    }

    /// Returns the role of the certificate at `index` of the path.
    package func role(at index: Int) -> TrustFailure.Role {
        index == 0 ? .leaf : reachesAnchor && index == certificates.count - 1 ? .anchor : .intermediate
    }
}

/// The rejection of a leaf: the paths that were tried and their failures.
public struct PathRejection: TrustError {
    /// Every path that was tried, the best candidate first: those that reach an anchor, then those with the least
    /// severe and fewest failures. Never empty.
    public let paths: [RejectedPath]

    /// Creates a rejection. `paths` is not empty.
    package init(paths: [RejectedPath]) { self.paths = paths }

    /// The best candidate.
    package var best: RejectedPath { paths[0] }

    /// All failures of the best candidate, most specific first; a budget that ran out comes last.
    public var failures: [TrustFailure] { best.failures }

    /// The first of ``failures``.
    public var headline: TrustFailure { best.failures[0] }

    /// The code of the headline.
    public var code: TrustFailure.Code { headline.code }

    /// The message of the headline.
    public var message: String { headline.message }
}

/// The outcome of a validation.
public enum PathValidation: Sendable {
    /// A path on which every check passed.
    case valid(ValidatedPath)
    /// No path passed every check.
    case rejected(PathRejection)

    /// The path; nil if there is none.
    public var path: ValidatedPath? {
        if case .valid(let path) = self { path } else { nil }
    }

    /// The rejection; nil if there is a path.
    public var rejection: PathRejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }

    /// Returns the path.
    /// - Throws: ``PathRejection`` if there is none.
    public func get() throws(PathRejection) -> ValidatedPath {
        switch self {
        case .valid(let path): return path
        case .rejected(let rejection): throw rejection
        }
    }
}
