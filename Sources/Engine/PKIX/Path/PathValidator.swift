// SPDX-License-Identifier: Apache-2.0

/// Builds and validates paths (RFC 5280 § 6, RFC 4158) for one set of anchors and one policy.
///
/// A value without state of its own besides the shared memory of verified signatures, for any number of threads.
/// Validation is synchronous, uses no network, files or clock, and its work is bounded by a budget: an exhausted one is a
/// failure with a code of its own, such as ``TrustFailure/Code/stepBudgetExceeded``, and never an acceptance.
///
/// ```swift
/// let validator = PathValidator(anchors: [root])
/// switch validator.validate([leaf, intermediate], host: try Hostname("api.example.com"), at: now) {
/// case .valid(let path): print(path.anchor)
/// case .rejected(let rejection): print(rejection.headline)   // certificate 0 (leaf) expired 2026-01-01T00:00:00Z, …
/// }
/// ```
///
/// Not checked: revocation (see ``RevocationChecker``) and certificate transparency.
public struct PathValidator: Sendable {
    /// The trust anchors.
    package let anchors: AnchorStore
    /// The requirements on paths.
    package let policy: ValidationPolicy
    /// The memory of good signatures; nil to verify each one every time.
    package let memory: SignatureMemory?
    /// The certificates that no path may contain.
    private let distrusted: [DistrustedCertificates]

    /// Creates a validator. It keeps the prepared keys of the anchors: create one and use it for many paths.
    /// - Parameters:
    ///   - anchors: the trust anchors, without any conditions; with none everything is rejected.
    ///   - policy: the requirements on paths.
    ///   - memory: the memory of good signatures; nil to verify each one every time.
    public init(
        anchors: some Sequence<Certificate>, policy: ValidationPolicy = ValidationPolicy(),
        memory: SignatureMemory? = .shared
    ) {
        self.init(anchors: AnchorStore(anchors), policy: policy, memory: memory)
    }

    /// Creates a validator of a store, which may have conditions and shares its prepared keys.
    /// - Parameter distrusted: certificates that no path may contain, besides those that the store has; none by default.
    package init(
        anchors: AnchorStore, policy: ValidationPolicy = ValidationPolicy(), memory: SignatureMemory? = .shared,
        distrusting distrusted: [DistrustedCertificates] = []
    ) {
        self.anchors = anchors
        self.policy = policy
        self.memory = memory
        self.distrusted = anchors.distrusted.adding(distrusted)
    }

    /// Searches for a path from `leaf` to an anchor on which every check passes.
    ///
    /// - Parameters:
    ///   - leaf: the certificate to validate.
    ///   - presented: the other certificates of the server, in any order, unrelated ones among them. Candidates,
    ///     nothing more.
    ///   - intermediates: further candidates that the caller has. They gain no trust by that.
    ///   - host: the name that the leaf must be valid for; nil for no identity check.
    ///   - time: the verify date.
    ///   - additionalChecks: called with each path on which all checks passed; the failures that it returns reject the
    ///     path, and the search continues. It can only make the verdict stricter. Called on the caller's thread.
    public func validate(
        _ leaf: Certificate, presented: [Certificate] = [],
        intermediates: [Certificate] = [], host: Hostname?, at time: Time,
        additionalChecks: ((ValidatedPath) -> [TrustFailure])? = nil
    ) -> PathValidation {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: context(host, time), memory: memory,
            additionalChecks: additionalChecks)
        return search.run(presented, intermediates)
    }

    private func context(
        _ host: Hostname?, _ time: Time, _ timestamps: (@Sendable (Certificate) -> [Time]?)? = nil
    ) -> EvaluationContext {
        EvaluationContext(policy: policy, host: host, time: time, timestamps: timestamps, distrusted: distrusted)
    }

    /// Validates as ``validate(_:presented:intermediates:host:at:additionalChecks:)`` does, and returns the work that it took.
    func measured(
        _ leaf: Certificate, presented: [Certificate] = [], intermediates: [Certificate] = [], host: Hostname?,
        at time: Time
    ) -> (validation: PathValidation, meter: WorkMeter) {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: context(host, time), memory: memory, additionalChecks: nil)
        return (search.run(presented, intermediates), search.meter)
    }

    /// A test for exceptions: whether one covers a failure of a certificate, nil for a failure of the whole path.
    package typealias FailureException = (TrustFailure, Certificate?) -> Bool

    /// Validates with exceptions for failures, which is how a user's trust exceptions reach the engine.
    ///
    /// A path is accepted if all its failures are recoverable and excepted; those stand in ``ValidatedPath/excused``.
    /// Signatures always have to be right, the path has to end in an anchor, and `additionalChecks` are made as ever.
    /// Not public: the caller has to bind exceptions to host and leaf.
    /// - Parameter timestamps: returns the dates of the leaf's valid timestamps for an issuer, for conditions on anchors; nil where
    ///   timestamps can't be verified.
    package func validate(
        _ leaf: Certificate, presented: [Certificate], intermediates: [Certificate], host: Hostname?, at time: Time,
        insecurelyExcepting exceptions: FailureException?, timestamps: (@Sendable (Certificate) -> [Time]?)? = nil,
        additionalChecks: ((ValidatedPath) -> [TrustFailure])?
    ) -> PathValidation {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: context(host, time, timestamps), memory: memory,
            additionalChecks: additionalChecks, exceptions: exceptions)
        return search.run(presented, intermediates)
    }

    /// Validates a presented chain, leaf first, as ``validate(_:presented:intermediates:host:at:additionalChecks:)``
    /// does.
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
