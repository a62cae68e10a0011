// SPDX-License-Identifier: Apache-2.0

/// Builds and validates paths (RFC 5280 § 6, RFC 4158) for one store of anchors and one policy.
///
/// A value without state of its own besides the shared memory of verified signatures: make one, keep it, use it from any
/// number of threads. Validation is synchronous, touches neither network nor files nor clock, and its work is bounded by
/// ``ValidationBudget``.
///
/// ```swift
/// let validator = PathValidator(anchors: AnchorStore([root]))
/// switch validator.validate([leaf, intermediate], host: try Hostname("api.example.com"), at: now) {
/// case .valid(let path): print(path.anchor)
/// case .rejected(let rejection): print(rejection.headline)   // certificate 0 (leaf) expired 2026-01-01T00:00:00Z, …
/// }
/// ```
///
/// Not checked: revocation (see ``RevocationChecker``), certificate transparency, and the validity periods that the CA/Browser baseline allows.
public struct PathValidator: Sendable {
    public let anchors: AnchorStore
    public let policy: ValidationPolicy
    /// Where good signatures are remembered; nil to verify each one every time.
    public let memory: SignatureMemory?

    /// - Parameters:
    ///   - anchors: what trust ends in; with an empty store everything is rejected.
    ///   - policy: see ``ValidationPolicy``.
    ///   - memory: see ``SignatureMemory``.
    public init(
        anchors: AnchorStore, policy: ValidationPolicy = ValidationPolicy(), memory: SignatureMemory? = .shared
    ) {
        self.anchors = anchors
        self.policy = policy
        self.memory = memory
    }

    /// Looks for a path from `leaf` to an anchor on which every check passes.
    ///
    /// - Parameters:
    ///   - leaf: the certificate to validate.
    ///   - presented: what else the server sent, in any order, perhaps with strangers. Candidates, nothing more.
    ///   - intermediates: further candidates that the caller knows of. They gain no trust by that.
    ///   - host: the name that the leaf must be valid for; nil for no identity check.
    ///   - time: the verify date.
    ///   - additionalChecks: asked about each path on which all checks passed; what it returns rejects the path and the search goes
    ///     on. It can only make the answer stricter. Called on the caller's thread.
    public func validate(
        _ leaf: Certificate, presented: [Certificate] = [],
        intermediates: [Certificate] = [], host: Hostname?, at time: Time,
        additionalChecks: ((ValidatedPath) -> [TrustFailure])? = nil
    ) -> PathValidation {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: EvaluationContext(policy: policy, host: host, time: time), memory: memory,
            additionalChecks: additionalChecks)
        return search.run(presented, intermediates)
    }

    /// Validates as ``validate(_:presented:intermediates:host:at:additionalChecks:)`` does, and returns the work that it took.
    func measured(
        _ leaf: Certificate, presented: [Certificate] = [], intermediates: [Certificate] = [], host: Hostname?,
        at time: Time
    ) -> (validation: PathValidation, meter: WorkMeter) {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: EvaluationContext(policy: policy, host: host, time: time), memory: memory, additionalChecks: nil)
        return (search.run(presented, intermediates), search.meter)
    }

    /// Whether one failure is to be overlooked: of it and of the certificate it is about, nil if it is about the whole path.
    package typealias FailureException = (TrustFailure, Certificate?) -> Bool

    /// The same with failures that are overlooked, which is how trust exceptions reach the engine.
    ///
    /// A path is accepted if all that is wrong with it is recoverable and excused; what was excused stands in
    /// ``ValidatedPath/excused``. Signatures always have to be right, the path has to end in an anchor, and `additionalChecks` is
    /// asked as ever. Not public: whoever may say what is overlooked has to bind it to host and leaf.
    package func validate(
        _ leaf: Certificate, presented: [Certificate], intermediates: [Certificate], host: Hostname?, at time: Time,
        insecurelyExcepting exceptions: FailureException?, additionalChecks: ((ValidatedPath) -> [TrustFailure])?
    ) -> PathValidation {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: EvaluationContext(policy: policy, host: host, time: time), memory: memory,
            additionalChecks: additionalChecks, exceptions: exceptions)
        return search.run(presented, intermediates)
    }

    /// The same for a presented chain, leaf first.
    /// - Returns: nil for an empty chain, in which there is nothing to validate.
    public func validate(
        chain: [Certificate], intermediates: [Certificate] = [], host: Hostname?, at time: Time,
        additionalChecks: ((ValidatedPath) -> [TrustFailure])? = nil
    ) -> PathValidation? {
        guard let leaf = chain.first else { return nil }
        return validate(
            leaf, presented: Array(chain.dropFirst()), intermediates: intermediates, host: host, at: time,
            additionalChecks: additionalChecks)
    }
}
