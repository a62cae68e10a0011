// Forwarding is Objective-C's, with optional methods and messages: this file is parsed on Linux and not type-checked. What decides
// stands in the two files beside it, which are.
#if canImport(Security) && canImport(ObjectiveC)
    import Foundation
    import ServerTrust

    /// Stands before an app's delegate: answers server trust challenges by a manager, and forwards everything else, whatever
    /// protocols the app's delegate has. ``Foundation/URLSession/init(configuration:serverTrustManager:delegate:delegateQueue:)``
    /// makes one.
    ///
    /// The app's delegate is held for as long as the session holds this one, as the session would. Parsed on Linux, not
    /// type-checked; not run on an Apple system.
    public final class ForwardingSessionDelegate: ServerTrustSessionDelegate, @unchecked Sendable {
        // Proof of sendability: constant; the delegate is sendable, as every session's.
        private let delegate: any URLSessionDelegate

        public init(
            _ manager: ServerTrustManager, engine: TrustEngine = .system, forwardingTo delegate: any URLSessionDelegate
        ) {
            self.delegate = delegate
            super.init(manager, engine: engine)
        }

        public override func responds(to selector: Selector!) -> Bool {
            super.responds(to: selector) || delegate.responds(to: selector)
        }

        public override func forwardingTarget(for selector: Selector!) -> Any? {
            delegate.responds(to: selector) ? delegate : super.forwardingTarget(for: selector)
        }

        public override func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let isServerTrust =
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
            if !isServerTrust,
                delegate.urlSession?(session, didReceive: challenge, completionHandler: completionHandler) != nil
            {
                return
            }
            super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        }

        public override func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let isServerTrust =
                challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
            if !isServerTrust, let other = delegate as? any URLSessionTaskDelegate,
                other.urlSession?(session, task: task, didReceive: challenge, completionHandler: completionHandler)
                    != nil
            {
                return
            }
            super.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }
    }

    extension URLSession {
        /// A session whose connections are judged by `manager`. The same line compiles on Linux.
        ///
        /// The system validates the path, and the pins are compared with it. Other than on Linux, `delegate` is not asked about
        /// server trust: a delegate that wants a say is a ``ServerTrustSessionDelegate`` itself.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - delegate: gets everything but server trust challenges; held until the session is invalidated.
        ///   - delegateQueue: where the delegate is called; a serial queue of the session's own unless given.
        public convenience init(
            configuration: URLSessionConfiguration, serverTrustManager manager: ServerTrustManager,
            delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
        ) {
            let judge =
                delegate.map { ForwardingSessionDelegate(manager, forwardingTo: $0) }
                ?? ServerTrustSessionDelegate(manager)
            self.init(configuration: configuration, delegate: judge, delegateQueue: delegateQueue)
        }
    }
#endif
