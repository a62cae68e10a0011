// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import ServerTrust
    import SessionDelegates

    extension URLSession {
        /// A session whose delegate is asked about servers, as on Apple platforms. Foundation's initializer of the same form on Linux makes a
        /// session that never asks; for a delegate of this module's protocols this one takes its place.
        ///
        /// ```swift
        /// let session = URLSession(configuration: .default, delegate: self, delegateQueue: nil)
        /// ```
        /// The rules of the session are the first of these:
        ///
        /// 1. those of the configuration (`withServerTrust(_:)`),
        /// 2. the manager of the delegate, if it is a ``ServerTrustSessionDelegate``,
        /// 3. default evaluation with the system's anchors (`ServerTrustConfiguration.publicWeb`). Errors have the numbers that Apple's
        ///    software reports (``ServerTrustErrorNumbers/asReported``).
        ///
        /// Such a session has the limits of `withServerTrust(_:)`: no plain `http`, no web sockets.
        ///
        /// **Not covered:** a delegate whose static type is Foundation's protocol, a session without a delegate, and `URLSession.shared`.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - delegate: asked about servers; held strongly until the session is invalidated. With nil the session is Foundation's own.
        ///   - delegateQueue: where the delegate is called; nil for a serial queue of the session.
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
        /// This configuration if it has a policy, otherwise a copy with the policy that a session with the delegate has.
        fileprivate func covered(for delegate: any SessionDelegates.URLSessionDelegate) -> URLSessionConfiguration {
            if let own = self as? any TrustedSessionConfiguration, own.policy != nil { return self }
            if let delegate = delegate as? ServerTrustSessionDelegate { return withServerTrust(delegate.manager) }
            return withServerTrust(.publicWeb, errorNumbers: .asReported)
        }
    }
#endif
