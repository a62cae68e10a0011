// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

// TrustKit's names. Each is unavailable and its message says what to write instead. See AlamofireManager.swift.

/// TrustKit's configuration for the whole program.
@available(
    *, unavailable, renamed: "ServerTrustManager",
    message:
        "PinConfiguration from ServerTrustPins reads TrustKit's dictionary: PinConfiguration(reading:as:file:).serverTrustManager()"
)
public final class TrustKit {
    /// Creates a validator from a dictionary.
    public init(configuration: [String: Any]) {}
    /// Sets the program's only configuration.
    public static func initSharedInstance(withConfiguration configuration: [String: Any]) {}
    /// Returns the program's only configuration.
    public static func sharedInstance() -> TrustKit { TrustKit(configuration: [:]) }
    /// The validator.
    public var pinningValidator: TSKPinningValidator { TSKPinningValidator() }
}

/// TrustKit's validator.
@available(*, unavailable, renamed: "ServerTrustManager")
public final class TSKPinningValidator {
    /// Responds to a delegate's challenge.
    public func handle<Challenge, Handler>(_ challenge: Challenge, completionHandler: Handler) -> Bool { false }
    /// Evaluates a server.
    public func evaluateTrust<SecTrust>(_ trust: SecTrust, forHostname host: String) -> TSKTrustDecision {
        .shouldBlockConnection
    }
}

/// TrustKit's decision.
@available(*, unavailable, renamed: "TrustVerdict")
public enum TSKTrustDecision: Sendable {
    case shouldAllowConnection
    case shouldBlockConnection
    case domainNotPinned
}

extension ServerTrustManager {
    /// Evaluates with TrustKit's parameters.
    @available(*, unavailable, renamed: "evaluate(_:)", message: "pass a Trust, which has the host")
    public func evaluateTrust<SecTrust>(_ trust: SecTrust, forHostname host: String) -> TrustVerdict? { nil }

    /// Responds to a delegate's challenge like TrustKit's validator.
    @available(
        *, unavailable,
        message:
            "ServerTrustURLSession answers challenges: URLSession(configuration:serverTrustManager:delegate:) or ServerTrustSessionDelegate"
    )
    public func handle<Challenge, Handler>(_ challenge: Challenge, completionHandler: Handler) -> Bool { false }
}
