// SPDX-License-Identifier: Apache-2.0

/// Builds and validates paths (RFC 5280 § 6, RFC 4158) for one set of anchors and one policy.
///
/// A validator has no mutable state except the shared memory of verified signatures, and any number of threads can use
/// it. Validation is synchronous and uses no network, files, or clock. A budget bounds its work. An exhausted budget is
/// a failure with its own code, such as ``TrustFailure/Code/stepBudgetExceeded``, and never an acceptance.
///
/// ```swift
/// let validator = PathValidator(anchors: [root])
/// switch validator.validate([leaf, intermediate], host: try Hostname("api.example.com"), at: now) {
/// case .valid(let path): print(path.anchor)
/// case .rejected(let rejection): print(rejection.headline)   // certificate 0 (leaf) expired 2026-01-01T00:00:00Z, …
/// }
/// ```
///
/// The validator doesn't check revocation (see ``RevocationChecker``) or Certificate Transparency.
public struct PathValidator: Sendable {
    /// The trust anchors.
    let anchors: AnchorStore
    /// The requirements on paths.
    package let policy: ValidationPolicy
    /// The memory of valid signatures. If nil, the engine verifies each signature every time.
    let memory: SignatureMemory?
    /// The certificates that a path must not contain.
    private let distrusted: [DistrustedCertificates]

    /// Creates a validator. It keeps the prepared keys of the anchors, so create one validator and use it for many
    /// paths.
    /// - Parameters:
    ///   - anchors: the trust anchors, without conditions. With an empty list, the validator rejects everything.
    ///   - policy: the requirements on paths.
    ///   - memory: the memory of valid signatures. If nil, the engine verifies each signature every time.
    public init(
        anchors: some Sequence<Certificate>, policy: ValidationPolicy = ValidationPolicy(),
        memory: SignatureMemory? = .shared
    ) {
        self.init(anchors: AnchorStore(anchors), policy: policy, memory: memory)
    }

    /// Creates a validator from a store, which may have conditions and shares its prepared keys.
    /// - Parameter distrusted: certificates that a path must not contain, in addition to the store's. Empty by default.
    package init(
        anchors: AnchorStore, policy: ValidationPolicy = ValidationPolicy(), memory: SignatureMemory? = .shared,
        distrusting distrusted: [DistrustedCertificates] = []
    ) {
        self.anchors = anchors
        self.policy = policy
        self.memory = memory
        self.distrusted = anchors.distrusted.adding(distrusted)
    }

    /// Searches for a path from `leaf` to an anchor that passes every check.
    ///
    /// - Parameters:
    ///   - leaf: the certificate to validate.
    ///   - presented: the server's other certificates, in any order, possibly with unrelated ones. They are only
    ///     candidates.
    ///   - intermediates: further candidates from the caller. This doesn't make them trusted.
    ///   - host: the name that the leaf must be valid for. If nil, the engine doesn't check the identity.
    ///   - time: the verify date.
    ///   - additionalChecks: a closure that the engine calls, on the caller's thread, with each path that passed all
    ///     checks. If it returns failures, they reject the path and the search continues. It can only make the result
    ///     stricter.
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

    /// Validates like ``validate(_:presented:intermediates:host:at:additionalChecks:)``, and also returns the work
    /// done.
    func measured(
        _ leaf: Certificate, presented: [Certificate] = [], intermediates: [Certificate] = [], host: Hostname?,
        at time: Time
    ) -> (validation: PathValidation, meter: WorkMeter) {
        var search = PathSearch(
            leaf, candidates: presented.count + intermediates.count, anchors: anchors,
            context: context(host, time), memory: memory, additionalChecks: nil)
        return (search.run(presented, intermediates), search.meter)
    }

    /// A closure that returns whether an exception covers a failure of a certificate. The certificate is nil for a
    /// failure of the whole path.
    package typealias FailureException = (TrustFailure, Certificate?) -> Bool

    /// Validates with exceptions for failures. A user's trust exceptions use this method.
    ///
    /// The engine accepts a path if all its failures are recoverable and an exception covers each of them.
    /// ``ValidatedPath/excused`` lists these failures. Signatures must still be valid, the path must end in an anchor,
    /// and `additionalChecks` still run. This method isn't public, because the caller must bind exceptions to host and
    /// leaf.
    /// - Parameter timestamps: returns the dates of the leaf's valid timestamps for an issuer, for conditions on
    ///   anchors. If nil, there is no way to verify timestamps.
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

    /// Validates a presented chain, leaf first, like ``validate(_:presented:intermediates:host:at:additionalChecks:)``.
    /// - Returns: the result, or nil if the chain is empty.
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
