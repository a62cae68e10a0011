// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The evaluator without further requirements, which clients without an evaluator of their own use.
public struct DefaultTrustEvaluator: BuiltInTrustEvaluator {
    /// Whether the leaf has to be valid for the reference name.
    package let validateHost: Bool

    /// Creates an evaluator.
    /// - Parameter validateHost: false accepts every server with a valid certificate for any name; the verdict then has the identity
    ///   as not checked. The only common use is a peer that is identified by its key: combine it with pins.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    /// Accepts every path.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    /// True: the result depends on the path alone.
    public var isRepeatable: Bool { true }

    var acceptsEveryPath: Bool { true }

    func variants(of trust: Trust) -> [Trust]? { [validateHost ? trust : trust.withoutIdentity] }
}

extension Trust {
    /// The trust object with any reference name.
    var withoutIdentity: Trust {
        var trust = self
        trust.settings.identity = .insecurelyAnyName
        return trust
    }
}
