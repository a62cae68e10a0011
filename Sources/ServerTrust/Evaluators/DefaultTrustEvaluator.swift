// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The evaluation as such, without further demands: what a client does that has no evaluator at all.
public struct DefaultTrustEvaluator: BuiltInTrustEvaluator {
    /// Whether the leaf has to be valid for the name that was asked for.
    public let validateHost: Bool

    /// - Parameter validateHost: false accepts every server of the world with a valid certificate; the verdict says that identity
    ///   was not checked. There is hardly a reason but a peer that is known by its key: combine it with pins.
    public init(validateHost: Bool = true) { self.validateHost = validateHost }

    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    public var isRepeatable: Bool { true }

    var acceptsEveryPath: Bool { true }

    func variants(of trust: Trust) -> [Trust]? { [validateHost ? trust : trust.withoutIdentity] }
}

extension Trust {
    /// The same for whatever name.
    var withoutIdentity: Trust {
        var trust = self
        trust.settings.identity = .insecurelyAnyName
        return trust
    }
}
