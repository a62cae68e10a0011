// SPDX-License-Identifier: Apache-2.0

// Stubs of the Alamofire 5 symbols that Examples/Alamofire uses, with the same signatures
// (Source/Features/ServerTrustEvaluation.swift). The stubs don't do anything.
import Security

/// An Alamofire evaluator, which decides whether to trust a server.
public protocol ServerTrustEvaluating: Sendable {
    /// Throws if the server isn't trusted.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

/// Alamofire's manager of hosts and their evaluators.
open class ServerTrustManager: @unchecked Sendable {
    // Proof of sendability: all properties are constant.
    /// Whether hosts without an evaluator are refused.
    public let allHostsMustBeEvaluated: Bool
    /// Hosts and their evaluators.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// Creates a manager.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
    }

    /// Returns a host's evaluator.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? { evaluators[host] }
}
