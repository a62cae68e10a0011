// SPDX-License-Identifier: Apache-2.0

/// A path from leaf to anchor that the engine built and checked. Only the engine creates values of this type.
public struct ValidatedPath: Sendable, Hashable {
    /// The certificates, leaf first, anchor last. There is only one certificate if the leaf itself is the anchor.
    public let certificates: [Certificate]

    /// The failures that a user's exceptions cover, most specific first. Empty if every check passed.
    public let excused: [TrustFailure]

    /// The anchor's origin and the conditions that the path met. Nil if the operating system validated the path.
    package let anchorFacts: AnchorFacts?

    init(certificates: [Certificate], excused: [TrustFailure] = [], anchorFacts: AnchorFacts? = nil) {
        self.certificates = certificates
        self.excused = excused
        self.anchorFacts = anchorFacts
    }

    /// Creates a path that the operating system's evaluator built and checked, leaf first. Returns nil if
    /// `certificates` is empty.
    package init?(validatedBySystem certificates: [Certificate]) {
        guard !certificates.isEmpty else { return nil }
        self.init(certificates: certificates)
    }

    /// The validated certificate.
    public var leaf: Certificate { certificates[0] }

    /// The trust anchor.
    public var anchor: Certificate { certificates[certificates.count - 1] }

    /// The certificates between leaf and anchor, starting with the leaf's issuer.
    public var intermediates: ArraySlice<Certificate> { certificates.dropFirst().dropLast() }

    /// The first second when all certificates of the path are valid.
    public var validFrom: Time { certificates.map(\.notBefore).max() ?? leaf.notBefore }

    /// The last second when all certificates of the path are valid.
    public var validUntil: Time { certificates.map(\.notAfter).min() ?? leaf.notAfter }

    /// Whether the path is valid for extended validation (CA/Browser Forum policy 2.23.140.1.1), the leaf states that
    /// policy, and the root programs accept it from this anchor. If a program's conditions name policies, the path must
    /// be valid for one of them. Only the first 64 policies of each program count.
    package var assertsExtendedValidation: Bool {
        guard leaf.certificatePolicies?.contains(where: { $0.identifier == .extendedValidation }) == true,
            isValid(for: .extendedValidation)
        else { return false }
        return (anchorFacts?.conditions ?? []).allSatisfy { conditions in
            conditions.extendedValidationPolicies?.prefix(64).contains(where: isValid(for:)) ?? true
        }
    }

    /// Returns whether the path is valid for a certificate policy: the leaf states it, and every CA up to the anchor
    /// allows it, by name or by anyPolicy. This is RFC 5280 § 6.1 with only this policy in the initial set, and an
    /// explicit policy required.
    ///
    /// A path of one certificate isn't valid for any policy, because no CA has stated one. Doesn't check whether the
    /// anchor may assert the policy.
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
    /// The leaf's validity in days beside the CA/Browser baseline's limit (§ 6.3.2), if the validity exceeds it. Nil
    /// for a leaf within the limit, and if the anchor doesn't belong to a root program.
    package var validityExcess: ValidityExcess? {
        guard anchorFacts?.isPublic == true, certificates.count > 1 else { return nil }
        return ValidityPeriodCheck.excess(leaf)
    }
}

/// A path that the engine built and rejected, or an incomplete path that reached no anchor.
public struct RejectedPath: Sendable, Hashable {
    /// The certificates, leaf first. The last one is an anchor only if ``reachesAnchor`` is true.
    public let certificates: [Certificate]
    /// Whether the last certificate is an anchor.
    public let reachesAnchor: Bool
    /// All failures of the path, most specific first. The engine checks signatures only on paths that reach an anchor,
    /// from the leaf up to the first wrong signature.
    public let failures: [TrustFailure]

    package init(certificates: [Certificate], reachesAnchor: Bool, failures: [TrustFailure]) {
        self.certificates = certificates
        self.reachesAnchor = reachesAnchor
        self.failures = failures
    }
}

/// The rejection of a leaf, with the paths tried and their failures.
public struct PathRejection: TrustError {
    /// Every path tried, best candidate first: the paths with the least severe failures come first, then the paths with
    /// the fewest. If no path reaches an anchor, the only path is the incomplete chain. Never empty.
    public let paths: [RejectedPath]

    /// Creates a rejection. `paths` must not be empty.
    package init(paths: [RejectedPath]) { self.paths = paths }

    /// The best candidate.
    package var best: RejectedPath { paths[0] }

    /// All failures of the best candidate, most specific first. An exhausted budget comes last.
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

    /// The path, or nil if the leaf was rejected.
    public var path: ValidatedPath? {
        if case .valid(let path) = self { path } else { nil }
    }

    /// The rejection, or nil if there is a path.
    public var rejection: PathRejection? {
        if case .rejected(let rejection) = self { rejection } else { nil }
    }

    /// Returns the path.
    /// - Throws: ``PathRejection`` if the leaf was rejected.
    public func get() throws(PathRejection) -> ValidatedPath {
        switch self {
        case .valid(let path): return path
        case .rejected(let rejection): throw rejection
        }
    }
}
