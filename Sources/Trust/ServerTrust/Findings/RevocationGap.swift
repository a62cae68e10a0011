// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The reason why a trusted verdict lacks a revocation answer that its settings or its rule ask for. In best-effort
/// mode, the evaluation then accepts the certificate, whether it's revoked or not.
///
/// ```swift
/// if verdict.revocationGaps.contains(.noSource) { … }   // set TrustSettings.fetching on the client
/// ```
/// For the evidence that the evaluation tried, see `RevocationFinding.status` in ``TrustVerdict/revocation``.
public enum RevocationGap: String, Sendable, Hashable, CaseIterable, Codable {
    /// No usable evidence was available, and the evaluation had no source for it. Either ``TrustSettings/fetching`` is
    /// nil, or the evaluation used no network, as ``Trust/evaluate()`` does.
    case noSource
    /// No usable evidence was available, and the policy doesn't allow fetching: `RevocationPolicy.fetching` is false in
    /// ``TrustSettings/revocation`` or in the rule's policy. The evaluation read the source's caches.
    case fetchingNotAllowed
    /// No usable evidence was available, and the certificate has no `http` or `https` address for the kinds of evidence
    /// that count.
    case noAddress
    /// The source returned no usable answer. ``TrustVerdict/fetched`` lists its requests.
    case notObtained
    /// The leaf is its own anchor, so no CA publishes its status.
    case noIssuer
    /// The operating system evaluated, and doesn't report a complete check.
    case notCheckedBySystem
}

extension RevocationGap {
    /// Returns the warning for people.
    /// - Parameter certificates: the certificates, as ``PresentedChain/reference(to:_:)`` refers to them.
    func warning(about certificates: [String]) -> String {
        "\(Self.prefix)\(certificates.joined(separator: ", ")): \(reason)"
    }

    private static let prefix = "no revocation check of "

    /// Returns whether a verdict's warning is about a gap. For reports that list gaps separately.
    package static func isWarning(_ text: String) -> Bool { text.hasPrefix(prefix) }

    /// The gap in words, as the rest of a sentence without a full stop.
    var reason: String {
        switch self {
        case .noSource: "no usable evidence was available, and the evaluation has no source to fetch it from"
        case .fetchingNotAllowed: "no usable evidence was available, and the policy does not allow fetching it"
        case .noAddress: "no usable evidence was available, and the certificate names no address to fetch it from"
        case .notObtained: "no usable evidence was available, and fetching returned none"
        case .noIssuer: "the leaf is its own anchor, so no CA publishes its status"
        case .notCheckedBySystem: "the system's evaluator does not report one"
        }
    }
}
