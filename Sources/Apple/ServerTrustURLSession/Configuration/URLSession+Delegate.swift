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

extension URLSession {
    /// Evaluates the servers of this session's open connections again, by the current rules, and closes the
    /// connections to servers that are no longer trusted. Tasks on those connections fail as if the server had been
    /// refused at the start.
    ///
    /// ```swift
    /// manager.replaceRules(by: stricter, denied: nil)
    /// await session.reevaluateServerTrust()
    /// ```
    /// This happens by itself when the manager's rules change. Call the method to wait for that, or when something
    /// else that the rules depend on has changed: a connection may be used for hours, and a certificate may expire.
    /// The method returns when the connections are closed.
    ///
    /// The session calls a delegate only on behalf of a task, as always. If a delegate took part in accepting a
    /// connection and no task is waiting for the host now, there is no delegate to call. That connection is closed
    /// and its tasks fail. The next task's delegate is called for a new connection.
    ///
    /// **Not affected:** responses that are already in the cache (`URLCache.removeAllCachedResponses()`),
    /// credentials and cookies. A session without `withServerTrust(_:)` has nothing to evaluate.
    public func reevaluateServerTrust() async {
        await (configuration as? ServerTrustSessionConfiguration)?.state.reevaluate()
    }
}

#endif
