// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Asks that a certificate of the validated path have one of these public keys.
///
/// Keys are compared by their SubjectPublicKeyInfo, byte for byte, whatever their kind. The same as
/// ``SPKIPinsTrustEvaluator`` for keys that are at hand whole, without a scope and without the care for a backup.
public struct PublicKeysTrustEvaluator: BuiltInTrustEvaluator {
    /// The pinned keys; never empty, none twice.
    public let keys: [SubjectPublicKeyInfo]
    /// Whether a path has to be valid apart from the pin.
    public let performDefaultValidation: Bool
    /// Whether the leaf has to be valid for the name that was asked for.
    public let validateHost: Bool

    private let pins: Set<SPKIPin>

    /// - Parameters:
    ///   - keys: of leaf, intermediates or roots.
    ///   - performDefaultValidation: false lets pass what is wrong with a leaf whose own key is pinned: it has expired, its issuer
    ///     is unknown, its purpose is another. Not what is fatal about it, as its signature algorithm or its key, nor its name while `validateHost` is true, nor what other evaluators refuse, a denied key or a revocation. What was let pass
    ///     stands in the verdict, which is ``TrustResultType/proceed``. Where the key of a presented CA is pinned, that CA is
    ///     the only anchor, and the path from the leaf to it has to be valid. Its certificate is what the server sent, so
    ///     dates and constraints of the CA are the sender's word; pin its certificate if they matter.
    ///   - validateHost: false accepts the pinned key under any name.
    /// - Throws: ``PublicKeysError`` for an empty list and for a key that is listed twice.
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

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) { try require(path, for: trust) }

    public var isRepeatable: Bool { true }
    var performedChecks: [TrustCheck] { [.pins] }

    func variants(of trust: Trust) -> [Trust]? {
        var trust = validateHost ? trust : trust.withoutIdentity
        guard !performDefaultValidation else { return [trust] }
        if let leaf = trust.presentedChain.leaf, pins.contains(SPKIPin(leaf)) {
            trust.exemption = validateHost ? .allButIdentity : .all
        } else {
            // Keys are public, so anybody can send certificates that have them: a few are as good as thousands.
            let authorities = trust.presentedChain.others.lazy.filter { pins.contains(SPKIPin($0)) }.prefix(16)
            trust.settings.anchors = .only(Array(authorities))
        }
        return [trust]
    }

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        path.comparison(expected: { Array(pins) }, isBackup: { pins.contains($0) ? false : nil })
    }
}

/// Why a list of keys can't be pinned.
public enum PublicKeysError: Error, Sendable, Hashable, CustomStringConvertible {
    /// An empty list would pin nothing or everything.
    case empty
    /// The keys at these places, from 0, are the same.
    case duplicate(Int, Int)

    public var description: String {
        switch self {
        case .empty: "no key to pin, expected at least one"
        case .duplicate(let first, let second): "keys \(first) and \(second) of the list are the same"
        }
    }
}
