// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The reason why a trusted verdict lacks a revocation answer that its settings or its rule ask for. Best effort then counts the
/// certificate as good, revoked or not.
///
/// ```swift
/// if verdict.revocationGaps.contains(.noSource) { … }   // the client has to have TrustSettings.fetching
/// ```
/// `RevocationFinding.status` of ``TrustVerdict/revocation`` has the evidence that was tried.
public enum RevocationGap: String, Sendable, Hashable, CaseIterable, Codable {
    /// No usable evidence was at hand, and the evaluation had no source of it: ``TrustSettings/fetching`` is nil, or the evaluation
    /// was one without network, such as ``Trust/evaluate()``.
    case noSource
    /// No usable evidence was at hand, and the network may not be used for it: `RevocationPolicy.fetching` is false in
    /// ``TrustSettings/revocation`` or in the rule's policy. Caches of the source were read.
    case fetchingNotAllowed
    /// No usable evidence was at hand, and the certificate has no `http` or `https` address of the kinds of evidence that count.
    case noAddress
    /// The source was asked, and had no usable answer; ``TrustVerdict/fetched`` has its requests.
    case notObtained
    /// The leaf is its own anchor, so that no CA makes statements about it.
    case noIssuer
    /// The operating system evaluated, and reports no complete check.
    case notCheckedBySystem
}

extension RevocationGap {
    /// Returns the warning for people.
    /// - Parameter certificates: the indices of the certificates in the verdict's path.
    func warning(about certificates: [Int]) -> String {
        let which = certificates.map { $0 == 0 ? "0 (leaf)" : "\($0)" }.joined(separator: ", ")
        return "\(Self.prefix)\(which): \(reason)"
    }

    private static let prefix = "no revocation check of certificate "

    /// Returns whether a verdict's warning is one about a gap; for reports that have lines of their own about them.
    package static func isWarning(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// The gap in words: the rest of a sentence, without a full stop.
    var reason: String {
        switch self {
        case .noSource: "no usable evidence was at hand, and the evaluation has no source to fetch it from"
        case .fetchingNotAllowed: "no usable evidence was at hand, and fetching it is not allowed"
        case .noAddress: "no usable evidence was at hand, and the certificate names no address to fetch it from"
        case .notObtained: "no usable evidence was at hand, and none could be fetched"
        case .noIssuer: "the leaf is its own anchor, and no CA makes statements about it"
        case .notCheckedBySystem: "the system's evaluator does not report one"
        }
    }
}

extension TrustVerdict {
    /// The verdict without its gaps and their warnings.
    var withoutRevocationGaps: TrustVerdict {
        var verdict = self
        verdict.revocationGaps = []
        verdict.warnings.removeAll(where: RevocationGap.isWarning)
        return verdict
    }

    /// Returns the verdict with gaps, and a warning for each.
    func noting(_ gaps: [(gap: RevocationGap, certificate: Int)]) -> TrustVerdict {
        var verdict = self
        for gap in RevocationGap.allCases {
            let certificates = gaps.filter { $0.gap == gap }.map(\.certificate)
            guard !certificates.isEmpty else { continue }
            if !verdict.revocationGaps.contains(gap) { verdict.revocationGaps.append(gap) }
            verdict.warnings.append(gap.warning(about: certificates))
        }
        return verdict
    }
}
