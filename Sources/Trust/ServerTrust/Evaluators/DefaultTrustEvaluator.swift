// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The evaluator without further requirements. Without a rule for a host, a ``ServerTrustManager`` uses it only if you
/// create the manager with `allHostsMustBeEvaluated: false` or without rules.
public struct DefaultTrustEvaluator: BuiltInTrustEvaluator {
    /// The name that replaces the trust object's, or nil to keep the trust object's.
    let identity: ReferenceIdentity?

    /// Creates an evaluator.
    /// - Parameter validateHost: whether to check the name. False accepts every server with a valid certificate for any
    ///   name, and the verdict lists the identity as not checked. Use false only for a peer that is identified by its
    ///   key, and add pins.
    public init(validateHost: Bool = true) { self.identity = validateHost ? nil : .insecurelyAnyName }

    /// Creates an evaluator for a server whose certificate has another name than the connection's host, such as a
    /// server you connect to by address.
    ///
    /// ```swift
    /// try ServerTrustManager(evaluators: ["192.0.2.7": DefaultTrustEvaluator(expecting: Hostname("api.example.com"))])
    /// ```
    /// The connection's host still selects the rule and is sent as SNI. ``TrustVerdict/referenceName`` is the name you
    /// pass here.
    /// - Parameter name: the name that the leaf must be valid for, instead of the connection's host and
    ///   ``TrustSettings/identity``.
    public init(expecting name: Hostname) { self.identity = .name(name) }

    /// Accepts every path.
    public func check(_ path: ValidatedPath, for trust: Trust) throws(TrustFailures) {}

    /// True: the result depends only on the path.
    public var isRepeatable: Bool { true }

    var acceptsEveryPath: Bool { true }

    func variants(of trust: Trust) -> [Trust]? { [trust.identified(by: identity)] }
}

extension Trust {
    /// Returns the trust object with another reference name, or unchanged for nil.
    func identified(by identity: ReferenceIdentity?) -> Trust {
        guard let identity else { return self }
        var trust = self
        trust.settings.identity = identity
        return trust
    }

    /// Returns the trust object with other anchors, as far as its own can be replaced.
    func anchored(by anchors: TrustAnchors) -> Trust {
        var trust = self
        trust.settings.anchors = trust.settings.anchors.replaced(by: anchors)
        return trust
    }
}
