// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these public keys in a certificate of the validated path.
///
/// It compares keys of every algorithm by their SubjectPublicKeyInfo, byte for byte. ``SPKIPinsTrustEvaluator``
/// compares digests of keys instead, and adds a scope and backup pins.
public struct PublicKeysTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned keys in the caller's order, at least one and without duplicates.
    let keys: [SubjectPublicKeyInfo]
    /// Whether a path must be valid apart from the pin.
    let performDefaultValidation: Bool
    /// The name that replaces the trust object's, or nil to keep the trust object's.
    private let identity: ReferenceIdentity?

    private let pins: Set<SPKIPin>
    private let duplicates: [String]

    /// Creates an evaluator.
    /// - Parameters:
    ///   - keys: keys of the leaf, intermediates or roots.
    ///   - performDefaultValidation: false excuses failures of a leaf whose own key is pinned: it has expired, its
    ///     issuer is unknown, or it is for another purpose. Fatal failures of the leaf, such as its signature algorithm
    ///     or key, aren't excused. Its name isn't excused if `validateHost` is true. Refusals by other evaluators, for
    ///     a denied certificate or for revocation, aren't excused either. The verdict lists the excused failures and is
    ///     ``TrustResultType/proceed``. If the key of a presented CA is pinned, that CA is the only anchor, and the
    ///     path from the leaf to it must be valid. The server presents the CA's certificate, so its dates and
    ///     constraints are unauthenticated. Pin the certificate if they matter.
    ///   - validateHost: false accepts the pinned key under any name.
    /// - Throws: ``TrustEvaluatorError`` for an empty list. A key that occurs twice counts once, and verdicts contain a
    ///   warning. This happens if a certificate was renewed with the same key.
    public init(
        keys: [SubjectPublicKeyInfo], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(TrustEvaluatorError) {
        try self.init(keys, performDefaultValidation, validateHost ? nil : .insecurelyAnyName)
    }

    /// Creates an evaluator for a server whose certificate has another name than the connection's host. See
    /// ``init(keys:performDefaultValidation:validateHost:)``.
    /// - Parameters:
    ///   - keys: keys of the leaf, intermediates or roots.
    ///   - performDefaultValidation: false excuses failures of a leaf whose own key is pinned, except a wrong name.
    ///   - name: the name that the leaf must be valid for, instead of the connection's host and
    ///     ``TrustSettings/identity``.
    /// - Throws: ``TrustEvaluatorError`` for an empty list.
    public init(
        keys: [SubjectPublicKeyInfo], performDefaultValidation: Bool = true, expecting name: Hostname
    ) throws(TrustEvaluatorError) {
        try self.init(keys, performDefaultValidation, .name(name))
    }

    private init(
        _ keys: [SubjectPublicKeyInfo], _ performDefaultValidation: Bool, _ identity: ReferenceIdentity?
    ) throws(TrustEvaluatorError) {
        guard !keys.isEmpty else { throw TrustEvaluatorError(.evaluatorKeysMissing) }
        let list = UniqueList(keys, "key")
        self.keys = list.elements
        self.duplicates = list.warnings
        self.pins = Set(list.elements.map { SPKIPin($0) })
        self.performDefaultValidation = performDefaultValidation
        self.identity = identity
    }

    /// Refuses a path without a pinned key.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }
    var configurationWarnings: [String] { duplicates }

    func variants(of trust: Trust) -> [Trust]? {
        var trust = trust.identified(by: identity)
        guard !performDefaultValidation else { return [trust] }
        if let leaf = trust.presentedChain.leaf, pins.contains(SPKIPin(leaf)) {
            trust.exemption = identity == .insecurelyAnyName ? .all : .allButIdentity
        } else {
            // Keys are public, so a server can send many certificates with a pinned key. A few are enough.
            let authorities = trust.presentedChain.others.lazy.filter { pins.contains(SPKIPin($0)) }.prefix(16)
            trust.settings.anchors = trust.settings.anchors.replaced(by: .only(Array(authorities)))
        }
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(expected: { Array(pins) }, isBackup: { pins.contains($0) ? false : nil })
    }
}
