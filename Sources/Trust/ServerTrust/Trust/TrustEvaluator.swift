// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An app's requirements on a server beyond a valid path. An evaluator can only make the evaluation stricter: it
/// receives paths that pass all other checks, and can only refuse them.
///
/// ```swift
/// struct ShortLived: TrustEvaluator {
///     func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
///         let seconds = path.leaf.notAfter.secondsSinceEpoch - path.leaf.notBefore.secondsSinceEpoch
///         guard seconds <= 47 * 86_400 else {
///             throw TrustFailures(TrustFailure(.attributeNotMatched, certificate: 0, role: .leaf,
///                 expected: .text("a validity of 47 days"), found: .text("one of \(seconds / 86_400)")))
///         }
///     }
/// }
/// let verdict = try ShortLived().requireTrust(trust)
/// ```
///
/// If a cross-signed CA leads to two paths and the evaluator refuses one, the search continues with the other.
public protocol TrustEvaluator: Sendable {
    /// Refuses a path by throwing. An evaluation may call this method for several paths, on any thread, at the same
    /// time.
    /// - Parameters:
    ///   - path: the path, leaf to anchor. It passed every check of the engine, apart from failures that an exception
    ///     covers (`ValidatedPath.excused`).
    ///   - trust: the trust object of the evaluation.
    /// - Throws: ``TrustFailures`` with every reason to refuse the path.
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures)

    /// Whether the result depends only on path, host and policy, so that a verdict may be remembered. False by default.
    /// Leave it false for an evaluator that reads the clock, a file or a setting, because such an evaluator must be
    /// called every time.
    var isRepeatable: Bool { get }
}

extension TrustEvaluator {
    /// False: every evaluation calls the evaluator.
    public var isRepeatable: Bool { false }
}

/// The failures of an evaluator's check of a path. Contains at least one.
public struct TrustFailures: TrustError, Hashable {
    /// The failures, in the evaluator's order.
    public let failures: [TrustFailure]

    /// Creates failures of a check.
    public init(_ first: TrustFailure, _ others: [TrustFailure] = []) { self.failures = [first] + others }

    /// Creates failures of a check. Returns nil if the list is empty.
    init?(_ failures: [TrustFailure]) {
        guard !failures.isEmpty else { return nil }
        self.failures = failures
    }

    /// The code of the first failure.
    public var code: TrustFailure.Code { failures[0].code }

    /// The messages of all failures, on one line.
    public var message: String { failures.map(\.message).joined(separator: "; ") }
}

// MARK: - Evaluators of the package

/// An evaluator of this package, which can do more than refuse. Not public, because a custom evaluator may only make
/// the evaluation stricter.
protocol BuiltInTrustEvaluator: TrustEvaluator {
    /// Returns the trust objects that must be accepted instead of `trust`, with the checks that the evaluator relaxes
    /// or replaces. Returns nil for an evaluator that doesn't affect how a path is validated.
    func variants(of trust: Trust) -> [Trust]?
    /// Checks a path.
    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome
    /// The checks that the evaluator performs, for the verdict.
    var performedChecks: [TrustCheck] { get }
    /// The certificates and keys that the evaluator denies, or nil for none. The evaluation also compares them with
    /// certificates outside every validated path.
    var denied: DeniedList? { get }
    /// Whether the evaluator accepts every path. A path whose end can't be read is then acceptable.
    var acceptsEveryPath: Bool { get }
    /// Warnings about the evaluator's configuration.
    var configurationWarnings: [String] { get }
    /// Whether the evaluator, or a part of it, accepts any server.
    var containsDisabled: Bool { get }
    /// Whether every part of the evaluator accepts any server.
    var isDisabled: Bool { get }
}

extension BuiltInTrustEvaluator {
    func variants(of trust: Trust) -> [Trust]? { nil }
    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    /// Throws the failures of ``outcome(of:for:)``. Every evaluator of the package implements its check with this
    /// method.
    func require(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        if let failures = TrustFailures(outcome(of: path, for: trust).failures) { throw failures }
    }
    var performedChecks: [TrustCheck] { [] }
    var denied: DeniedList? { nil }
    var acceptsEveryPath: Bool { false }
    var configurationWarnings: [String] { [] }
    var containsDisabled: Bool { false }
    var isDisabled: Bool { false }
}

extension TrustEvaluator {
    private var builtIn: (any BuiltInTrustEvaluator)? { self as? any BuiltInTrustEvaluator }

    /// Checks a path. For an app's own evaluator, this calls ``check(_:for:)``.
    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        if let builtIn { return builtIn.outcome(of: path, for: trust) }
        do throws(TrustFailures) { try check(path, for: trust) } catch {
            return EvaluatorOutcome(failures: error.failures)
        }
        return EvaluatorOutcome()
    }
    var deniedList: DeniedList? { builtIn?.denied }
    var acceptsAnyPath: Bool { builtIn?.acceptsEveryPath ?? false }
    var checks: [TrustCheck] { builtIn?.performedChecks ?? [.custom] }
    var warnings: [String] { builtIn?.configurationWarnings ?? [] }
    var containsDisabledEvaluator: Bool { builtIn?.containsDisabled ?? false }
    var isDisabledEvaluator: Bool { builtIn?.isDisabled ?? false }
    func trustVariants(of trust: Trust) -> [Trust]? { builtIn?.variants(of: trust) }
}
