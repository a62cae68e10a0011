// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The evaluator without further requirements, which clients without an evaluator of their own use.
public struct DefaultTrustEvaluator: BuiltInTrustEvaluator {
    /// The name in place of the trust object's; nil to keep that.
    let identity: ReferenceIdentity?
    /// Whether the leaf has to be valid for a name.
    package var validateHost: Bool { identity != .insecurelyAnyName }

    /// Creates an evaluator.
    /// - Parameter validateHost: false accepts every server with a valid certificate for any name; the verdict then has the identity
    ///   as not checked. The only common use is a peer that is identified by its key: combine it with pins.
    public init(validateHost: Bool = true) { self.identity = validateHost ? nil : .insecurelyAnyName }

    /// Creates an evaluator for a server that is known by another name than the connection's host, such as one that is connected to by
    /// an address.
    ///
    /// ```swift
    /// try ServerTrustManager(evaluators: ["192.0.2.7": DefaultTrustEvaluator(expecting: Hostname("api.example.com"))])
    /// ```
    /// The rule of the host is found by the connection's host, and SNI has that host; the name in ``TrustVerdict/referenceName`` is
    /// this one.
    /// - Parameter name: the name that the leaf has to be valid for, in place of the connection's host and of
    ///   ``TrustSettings/identity``.
    public init(expecting name: Hostname) { self.identity = .name(name) }

    /// Accepts every path.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    func outcome(of path: ValidatedPath, for trust: Trust) -> EvaluatorOutcome { EvaluatorOutcome() }
    /// True: the result depends on the path alone.
    public var isRepeatable: Bool { true }

    var acceptsEveryPath: Bool { true }

    func variants(of trust: Trust) -> [Trust]? { [trust.identified(by: identity)] }
}

extension Trust {
    /// Returns the trust object with another reference name; unchanged for nil.
    func identified(by identity: ReferenceIdentity?) -> Trust {
        guard let identity else { return self }
        var trust = self
        trust.settings.identity = identity
        return trust
    }
}
