// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// Spellings of Alamofire 5's trust API that differ from this package's. Spellings with the same meaning are deprecated
// and forward to the right one. Spellings that weaken an evaluation or lack a value are unavailable and name the right
// spelling. Tests/External/words lists all of them with their diagnostics.
//
// Types of other libraries are always unavailable here, so the compiler prefers the other library's type if a file
// imports both.

extension ServerTrustManager {
    /// Creates a manager with the parameters in Alamofire's order.
    @available(*, deprecated, renamed: "init(evaluators:allHostsMustBeEvaluated:exceptions:memory:insecureOptions:)")
    public convenience init(
        allHostsMustBeEvaluated: Bool, evaluators: [String: any TrustEvaluator]
    ) throws(ServerTrustManagerError) {
        try self.init(evaluators: evaluators, allHostsMustBeEvaluated: allHostsMustBeEvaluated)
    }

    /// Alamofire's evaluators by host.
    @available(*, unavailable, message: "get a host's rule with rule(for:)")
    public var evaluators: [String: any TrustEvaluator] { [:] }

    /// Returns Alamofire's evaluator for a host.
    @available(*, unavailable, renamed: "rule(for:)")
    public func serverTrustEvaluator(forHost host: String) throws -> (any TrustEvaluator)? { nil }

    /// Evaluates with Alamofire's parameters.
    @available(
        *, unavailable, renamed: "requireTrust(_:)",
        message:
            "pass a Trust, which has the host; requireTrust(_:) throws a TrustRefusal, evaluate(_:) returns a verdict"
    )
    public func evaluate<SecTrust>(_ trust: SecTrust, forHost host: String) throws {}
}

extension TrustEvaluator {
    /// Evaluates with Alamofire's parameters.
    @available(
        *, unavailable, renamed: "requireTrust(_:)",
        message:
            "pass a Trust, which has the host; requireTrust(_:) throws a TrustRefusal, evaluate(_:) returns a verdict"
    )
    public func evaluate<SecTrust>(_ trust: SecTrust, forHost host: String) throws {}
}

extension Array where Element == any TrustEvaluator {
    /// Evaluates with Alamofire's parameters.
    @available(*, unavailable, message: "combine the evaluators with CompositeTrustEvaluator(evaluators:)")
    public func evaluate<SecTrust>(_ trust: SecTrust, forHost host: String) throws {}
}

/// Alamofire's protocol for evaluators.
@available(
    *, unavailable, renamed: "TrustEvaluator", message: "implement check(_:for:), which gets the validated path"
)
public typealias ServerTrustEvaluating = TrustEvaluator

/// Alamofire's errors.
@available(
    *, unavailable, renamed: "TrustRefusal", message: "its verdict has every failure with a stable code"
)
public enum AFError: Error {
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)

    /// Alamofire's reasons for a refusal.
    public enum ServerTrustFailureReason: Sendable {
        case noRequiredEvaluator(host: String)
        case noCertificatesFound
        case noPublicKeysFound
    }
}
