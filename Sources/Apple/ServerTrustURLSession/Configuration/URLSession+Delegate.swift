// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import ServerTrust
import SessionDelegates

extension URLSession {
    /// Creates a session that asks its delegate about servers, as on Apple platforms. On Linux, Foundation's
    /// initializer of the same form creates a session that never asks. For a delegate that conforms to this
    /// module's protocols, this initializer replaces it.
    ///
    /// ```swift
    /// let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
    /// ```
    /// The session uses the first of these rules:
    ///
    /// 1. The rules of the configuration (`withServerTrust(_:)`).
    /// 2. The manager of the delegate, if it is a ``ServerTrustSessionDelegate``.
    /// 3. Default evaluation with the system's anchors (`ServerTrustConfiguration.publicWeb`). Errors have the
    ///   numbers that Apple's software reports (``ServerTrustErrorNumbers/asReported``).
    ///
    /// Such a session has the limits of `withServerTrust(_:)`: it supports neither plain `http` nor WebSockets.
    ///
    /// **Not covered:** a delegate whose static type is Foundation's protocol, a session without a delegate, and
    /// `URLSession.shared`.
    /// - Parameters:
    ///   - configuration: all other settings. The session copies them.
    ///   - delegate: asked about servers. The session holds a strong reference until you invalidate the session.
    ///     With nil, this is Foundation's own session.
    ///   - delegateQueue: the queue for delegate calls, or nil for a serial queue that the session creates.
    public convenience init(
        configuration: URLSessionConfiguration, delegate: (any SessionDelegates.URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        self.init(
            configuration: delegate.map { configuration.covered(for: $0) } ?? configuration,
            delegate: delegate as (any FoundationNetworking.URLSessionDelegate)?, delegateQueue: delegateQueue)
    }
}

extension URLSessionConfiguration {
    /// Returns this configuration if it has a policy, or else a copy with the policy for a session with the
    /// delegate.
    fileprivate func covered(for delegate: any SessionDelegates.URLSessionDelegate) -> URLSessionConfiguration {
        if let own = self as? any TrustedSessionConfiguration, own.policy != nil { return self }
        if let delegate = delegate as? ServerTrustSessionDelegate { return withServerTrust(delegate.manager) }
        return withServerTrust(.publicWeb, errorNumbers: .asReported)
    }
}
#endif
