// SPDX-License-Identifier: Apache-2.0

import PKIX

/// What an app asks of a server beyond a valid path. It can only tighten: it is asked about paths on which everything else is
/// right, and all it can do is refuse one.
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
/// let verdict = try ShortLived().evaluate(trust)
/// ```
///
/// Of two paths over a cross-signed CA the one that is refused doesn't count; the search goes on with the other.
public protocol TrustEvaluator: Sendable {
    /// Refuses a path by throwing. May be called for several paths of one evaluation, on any thread, at the same time.
    /// - Parameters:
    ///   - path: leaf to anchor; every check of the engine passed, save what an exception covers (`ValidatedPath.excused`).
    ///   - trust: what is evaluated.
    /// - Throws: ``TrustFailures`` with everything that this evaluator has against the path.
    func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures)

    /// Whether the answer depends on path, host and policy alone, so that a verdict may be remembered. No, unless an evaluator
    /// says so: one that looks at the clock, at a file or at a setting must be asked every time.
    var isRepeatable: Bool { get }
}

extension TrustEvaluator {
    public var isRepeatable: Bool { false }
}

/// What an evaluator has against a path; at least one failure.
public struct TrustFailures: Error, Sendable, Hashable, CustomStringConvertible {
    public let failures: [TrustFailure]

    public init(_ first: TrustFailure, _ others: [TrustFailure] = []) { self.failures = [first] + others }

    /// - Returns: nil if there are none.
    init?(_ failures: [TrustFailure]) {
        guard !failures.isEmpty else { return nil }
        self.failures = failures
    }

    public var description: String { failures.map(\.message).joined(separator: "; ") }
}

/// A peer that is not to be trusted, with everything that is known about why.
public struct TrustRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    public let verdict: TrustVerdict

    package init(_ verdict: TrustVerdict) { self.verdict = verdict }

    /// The most specific failure.
    public var headline: TrustFailure {
        verdict.headline ?? TrustFailure(.evaluatorRefused, found: .text(verdict.result.rawValue))
    }

    /// Host and headline: `www.example.com: certificate 0 (leaf) expired …`.
    public var description: String {
        (verdict.host.map { "\($0): " } ?? "") + headline.message
    }
}

// MARK: - The package's own

/// What the evaluators of this package can do beyond refusing. Not public: a custom evaluator may only tighten.
protocol BuiltInTrustEvaluator: TrustEvaluator {
    /// What has to be accepted for it, with its checks, in the place of `trust`: what it was told to relax or to replace. nil for
    /// an evaluator that has no say in how a path is validated, and only looks at it.
    func variants(of trust: Trust) -> [Trust]?
    /// Checks a path.
    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome
    /// What it looks at, for the verdict.
    var performedChecks: [TrustCheck] { get }
    /// Returns whether it refuses every holder of a key. Asked about certificates that are on no validated path.
    func denies(_ key: SPKIPin) -> Bool
    /// Whether it accepts every path, so that one that can't be read to its end will do.
    var acceptsEveryPath: Bool { get }
    /// What its configuration should be warned about.
    var configurationWarnings: [String] { get }
    /// Whether it, or a part of it, accepts anything.
    var containsDisabled: Bool { get }
    /// Whether all of it accepts anything.
    var isDisabled: Bool { get }
}

extension BuiltInTrustEvaluator {
    func variants(of trust: Trust) -> [Trust]? { nil }
    /// Throws the failures of ``outcome(of:for:)``: the check of every evaluator of the package.
    func require(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {
        if let failures = TrustFailures(outcome(of: path, for: trust).failures) { throw failures }
    }
    var performedChecks: [TrustCheck] { [] }
    func denies(_ key: SPKIPin) -> Bool { false }
    var acceptsEveryPath: Bool { false }
    var configurationWarnings: [String] { [] }
    var containsDisabled: Bool { false }
    var isDisabled: Bool { false }
}

extension TrustEvaluator {
    private var builtIn: (any BuiltInTrustEvaluator)? { self as? any BuiltInTrustEvaluator }

    /// Checks a path, by ``check(_:for:)`` for an evaluator of the app's own.
    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome {
        if let builtIn { return builtIn.outcome(of: path, for: trust) }
        do throws(TrustFailures) { try check(path, for: trust) } catch {
            return EvaluatorOutcome(failures: error.failures)
        }
        return EvaluatorOutcome()
    }
    func isDenied(_ key: SPKIPin) -> Bool { builtIn?.denies(key) ?? false }
    var acceptsAnyPath: Bool { builtIn?.acceptsEveryPath ?? false }
    var checks: [TrustCheck] { builtIn?.performedChecks ?? [.custom] }
    var warnings: [String] { builtIn?.configurationWarnings ?? [] }
    var containsDisabledEvaluator: Bool { builtIn?.containsDisabled ?? false }
    var isDisabledEvaluator: Bool { builtIn?.isDisabled ?? false }
    func trustVariants(of trust: Trust) -> [Trust]? { builtIn?.variants(of: trust) }
}
