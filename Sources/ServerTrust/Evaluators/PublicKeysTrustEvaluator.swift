// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An evaluator that requires one of these public keys in a certificate of the validated path.
///
/// Keys of every algorithm are compared by their SubjectPublicKeyInfo, byte for byte. ``SPKIPinsTrustEvaluator`` compares digests of
/// keys instead, and adds a scope and backup pins.
public struct PublicKeysTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned keys; never empty, none twice.
    package let keys: [SubjectPublicKeyInfo]
    /// Whether a path has to be valid apart from the pin.
    package let performDefaultValidation: Bool
    /// Whether the leaf has to be valid for the reference name.
    package let validateHost: Bool

    private let pins: Set<SPKIPin>

    /// Creates an evaluator.
    /// - Parameters:
    ///   - keys: of leaf, intermediates or roots.
    ///   - performDefaultValidation: false excuses failures of a leaf whose own key is pinned: it has expired, its issuer is unknown, or it
    ///     is for another purpose. Not excused: fatal failures of the leaf, such as its signature algorithm or key; its name, if
    ///     `validateHost` is true; and refusals by other evaluators, for a denied key or for revocation. The verdict lists the excused
    ///     failures and is ``TrustResultType/proceed``. If the key of a presented CA is pinned, that CA is the only anchor, and the path
    ///     from the leaf to it has to be valid. The CA's certificate is presented by the server, so its dates and constraints are
    ///     unauthenticated; pin the certificate if they matter.
    ///   - validateHost: false accepts the pinned key under any name.
    /// - Throws: ``PublicKeysError`` for an empty list or a duplicate.
    public init(
        keys: [SubjectPublicKeyInfo], performDefaultValidation: Bool = true, validateHost: Bool = true
    ) throws(PublicKeysError) {
        guard !keys.isEmpty else { throw .empty }
        var places: [SubjectPublicKeyInfo: Int] = [:]
        for (index, key) in keys.enumerated() {
            if let first = places.updateValue(index, forKey: key) { throw .duplicate(first, index) }
        }
        self.keys = keys
        self.pins = Set(keys.map { SPKIPin($0) })
        self.performDefaultValidation = performDefaultValidation
        self.validateHost = validateHost
    }

    /// Refuses a path without a pinned key.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    /// True: the result depends on the path alone.
    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }

    func variants(of trust: Trust) -> [Trust]? {
        var trust = validateHost ? trust : trust.withoutIdentity
        guard !performDefaultValidation else { return [trust] }
        if let leaf = trust.presentedChain.leaf, pins.contains(SPKIPin(leaf)) {
            trust.exemption = validateHost ? .allButIdentity : .all
        } else {
            // Keys are public, so a server can send many certificates with them: a few suffice.
            let authorities = trust.presentedChain.others.lazy.filter { pins.contains(SPKIPin($0)) }.prefix(16)
            trust.settings.anchors = .only(Array(authorities))
        }
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(expected: { Array(pins) }, isBackup: { pins.contains($0) ? false : nil })
    }
}

/// An error in a list of keys to pin.
public enum PublicKeysError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The list is empty, which would pin nothing or everything.
    case empty
    /// The keys at these indices are equal.
    case duplicate(Int, Int)

    /// One line for people; its wording may change.
    public var description: String {
        switch self {
        case .empty: "no key to pin, expected at least one"
        case .duplicate(let first, let second): "keys \(first) and \(second) of the list are equal"
        }
    }
}
