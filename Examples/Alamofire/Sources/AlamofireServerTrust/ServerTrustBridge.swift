// SPDX-License-Identifier: Apache-2.0

import Alamofire
import PKIX
import Security
import ServerTrust

/// An evaluator of this package that you can use together with Alamofire's own.
///
/// ```swift
/// let pins = try SPKIPinsTrustEvaluator(pins: ["sha256/…"], backup: ["sha256/…"])
/// let session = Session(
///     serverTrustManager: Alamofire.ServerTrustManager(evaluators: ["api.example.com": BridgedTrustEvaluator(pins)]))
/// ```
///
/// If the server is refused, the request fails with `AFError.serverTrustEvaluationFailed`. Its underlying error is a
/// `TrustRefusal` with the verdict.
public struct BridgedTrustEvaluator: ServerTrustEvaluating {
    private let evaluator: any TrustEvaluator
    private let engine: TrustEngine

    /// Creates an evaluator.
    /// - Parameters:
    ///   - evaluator: the requirements.
    ///   - engine: the engine that validates the path. The default is the system's.
    public init(_ evaluator: any TrustEvaluator, using engine: TrustEngine = .system) {
        self.evaluator = evaluator
        self.engine = engine
    }

    /// Evaluates a server, and throws `TrustRefusal` unless the server is trusted.
    public func evaluate(_ trust: SecTrust, forHost host: String) throws {
        try evaluator.requireTrust(trust, host: Hostname(host), using: engine)
    }
}

/// Alamofire's manager with the rules of this package's manager: patterns, denied hosts, report-only rules, exceptions,
/// events.
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
    ///   - manager: the rules for hosts, and the treatment of other hosts.
    ///   - engine: the engine that validates paths. The default is the system's.
    public init(_ manager: ServerTrust.ServerTrustManager, using engine: TrustEngine = .system) {
        self.manager = manager
        self.engine = engine
        super.init(allHostsMustBeEvaluated: true, evaluators: [:])
    }

    /// Returns the evaluator for every host. The manager decides by its rules, even for hosts without a rule.
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
