// SPDX-License-Identifier: Apache-2.0

import Alamofire
import PKIX
import Security
import ServerTrust

/// One evaluator of this package among Alamofire's own.
///
/// ```swift
/// let pins = try SPKIPinsTrustEvaluator(pins: ["sha256/…"], backup: ["sha256/…"])
/// let session = Session(
///     serverTrustManager: Alamofire.ServerTrustManager(evaluators: ["api.example.com": BridgedTrustEvaluator(pins)]))
/// ```
///
/// A refusal ends the request with `AFError.serverTrustEvaluationFailed`; its underlying error is a `TrustRefusal` with the verdict.
public struct BridgedTrustEvaluator: ServerTrustEvaluating {
    private let evaluator: any TrustEvaluator
    private let engine: TrustEngine

    /// Creates an evaluator.
    /// - Parameters:
    ///   - evaluator: the requirements.
    ///   - engine: the engine that validates the path; the system's by default.
    public init(_ evaluator: any TrustEvaluator, using engine: TrustEngine = .system) {
        self.evaluator = evaluator
        self.engine = engine
    }

    /// Evaluates a server, and throws `TrustRefusal` unless it is trusted.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        try evaluator.requireTrust(trust, host: Hostname(host), using: engine)
    }
}

/// Alamofire's manager with the rules of this package's: patterns, denied hosts, rules that only report, exceptions, events.
///
/// ```swift
/// let session = Session(serverTrustManager: BridgedServerTrustManager(manager))
/// ```
public final class BridgedServerTrustManager: Alamofire.ServerTrustManager, @unchecked Sendable {
    // Proof of sendability: constant, and sendable themselves.
    private let manager: ServerTrust.ServerTrustManager
    private let engine: TrustEngine

    /// Creates a manager.
    /// - Parameters:
    ///   - manager: hosts and their evaluators, and the treatment of other hosts.
    ///   - engine: the engine that validates paths; the system's by default.
    public init(_ manager: ServerTrust.ServerTrustManager, using engine: TrustEngine = .system) {
        self.manager = manager
        self.engine = engine
        super.init(allHostsMustBeEvaluated: true, evaluators: [:])
    }

    /// Returns the evaluator of every host: the manager decides by its rules, also about hosts without one.
    override public func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        Rules(manager: manager, engine: engine)
    }

    private struct Rules: ServerTrustEvaluating {
        let manager: ServerTrust.ServerTrustManager
        let engine: TrustEngine

        func evaluate(_ trust: SecTrust, forHost host: String) throws {
            try manager.requireTrust(trust, host: Hostname(host), using: engine)
        }
    }
}
