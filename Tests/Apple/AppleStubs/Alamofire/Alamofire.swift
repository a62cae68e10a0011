// SPDX-License-Identifier: Apache-2.0

// Declared stubs of the symbols of Alamofire 5 that Examples/Alamofire uses, with their signatures there
// (Source/Features/ServerTrustEvaluation.swift). Nothing behind them.
import Security

/// A requirement of Alamofire's for the trust in a server.
public protocol ServerTrustEvaluating: Sendable {
    /// Throws unless the server is trusted.
    func evaluate(_ trust: SecTrust, forHost host: String) throws
}

/// Alamofire's manager of hosts and their evaluators.
open class ServerTrustManager: @unchecked Sendable {
    // Proof of sendability: constant.
    /// Whether hosts without an evaluator are refused.
    public let allHostsMustBeEvaluated: Bool
    /// Hosts and their evaluators.
    public let evaluators: [String: any ServerTrustEvaluating]

    /// Creates a manager.
    public init(allHostsMustBeEvaluated: Bool = true, evaluators: [String: any ServerTrustEvaluating]) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.evaluators = evaluators
    }

    /// Returns the evaluator of a host.
    open func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? { evaluators[host] }
}
