// SPDX-License-Identifier: Apache-2.0

// Forwarding is Objective-C's, with optional methods and messages: this file is parsed on Linux and not type-checked. The decisions
// stand in the two files beside it, which are.
#if canImport(ObjectiveC)
    import Foundation
    import ServerTrust

    /// Stands before an app's delegate: answers server trust challenges by a manager and the delegate, and forwards everything else,
    /// of all protocols that the app's delegate has. ``Foundation/URLSession/init(configuration:serverTrustManager:delegate:delegateQueue:)``
    /// makes one.
    ///
    /// The app's delegate is asked about server trust where it has a method for that. It can refuse any server. It can accept one
    /// that the manager refuses only under a rule that asks for default evaluation alone, in spite of recoverable failures, never in
    /// spite of pins, a custom evaluator, required revocation or a rule that denies. The manager evaluates before it is asked, so that
    /// anchors, name, date or exceptions that it sets in the `SecTrust` change nothing: name them in the rule.
    ///
    /// Not prevented: that the system looks up and connects to a host that the rules deny. It asks when the server has shown its
    /// certificates.
    ///
    /// The app's delegate is held for as long as the session holds this one, as the session would. Parsed on Linux, not
    /// type-checked; not run on an Apple system.
    public final class ForwardingSessionDelegate: ServerTrustSessionDelegate, @unchecked Sendable {
        private typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

        // Proof of sendability: constant; the delegate is sendable, as every session's.
        private let delegate: any URLSessionDelegate

        public init(
            _ manager: ServerTrustManager, engine: TrustEngine = .system, forwardingTo delegate: any URLSessionDelegate
        ) {
            self.delegate = delegate
            super.init(manager, engine: engine)
        }

        package init(
            _ trust: ServerTrustConfiguration, engine: TrustEngine = .system,
            forwardingTo delegate: any URLSessionDelegate
        ) {
            self.delegate = delegate
            super.init(trust, engine: engine)
        }

        public override func responds(to selector: Selector!) -> Bool {
            // An app's delegate with the task's method alone is asked by that, as it would be without this one before it.
            if selector == Self.sessionChallenge, !delegate.responds(to: selector),
                delegate.responds(to: Self.taskChallenge)
            {
                return false
            }
            return super.responds(to: selector) || delegate.responds(to: selector)
        }

        private static let sessionChallenge = #selector(
            URLSessionDelegate.urlSession(_:didReceive:completionHandler:))
        private static let taskChallenge = #selector(
            URLSessionTaskDelegate.urlSession(_:task:didReceive:completionHandler:))

        public override func forwardingTarget(for selector: Selector!) -> Any? {
            delegate.responds(to: selector) ? delegate : super.forwardingTarget(for: selector)
        }

        public override func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if delegate.responds(to: Self.sessionChallenge) {
                let ask = { [delegate] (answer: @escaping Answer) in
                    _ = delegate.urlSession?(session, didReceive: challenge, completionHandler: answer)
                }
                guard ChallengeDecision.isServerTrust(challenge) else { return ask(completionHandler) }
                return answer(challenge, asking: ask, completionHandler: completionHandler)
            }
            super.urlSession(session, didReceive: challenge, completionHandler: completionHandler)
        }

        public override func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            if let other = delegate as? any URLSessionTaskDelegate, other.responds(to: Self.taskChallenge) {
                let ask = { (answer: @escaping Answer) in
                    _ = other.urlSession?(session, task: task, didReceive: challenge, completionHandler: answer)
                }
                guard ChallengeDecision.isServerTrust(challenge) else { return ask(completionHandler) }
                return answer(challenge, asking: ask, completionHandler: completionHandler)
            }
            super.urlSession(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        }
    }

    extension URLSession {
        /// A session whose connections are evaluated by `manager`. The same line compiles on Linux.
        ///
        /// The system validates the path, and the pins are compared with it. `delegate` has the same say about servers as on Linux; see
        /// ``ForwardingSessionDelegate``.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - delegate: gets everything else, and is asked about servers after the manager; held until the session is invalidated.
        ///   - delegateQueue: where the delegate is called; a serial queue of the session's own unless given.
        public convenience init(
            configuration: URLSessionConfiguration, serverTrustManager manager: ServerTrustManager,
            delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
        ) {
            self.init(
                configuration: configuration, serverTrust: ServerTrustConfiguration(manager), delegate: delegate,
                delegateQueue: delegateQueue)
        }

        /// A session whose connections are evaluated by `trust`. The same line compiles on Linux.
        ///
        /// As with a manager alone, and with the settings of `trust` for each trust object; those that the system's evaluation can't follow are
        /// refused or named (`Trust.init(_:host:using:)`).
        ///
        /// Not used: `TrustSettings.fetching`. The system fetches by its own rules; where this package's engine evaluates, missing evidence is missing.
        /// - Parameters:
        ///   - configuration: everything else; copied.
        ///   - trust: the evaluation of servers.
        ///   - delegate: gets everything else, and is asked about servers after the manager; held until the session is invalidated.
        ///   - delegateQueue: where the delegate is called; a serial queue of the session's own unless given.
        public convenience init(
            configuration: URLSessionConfiguration, serverTrust trust: ServerTrustConfiguration,
            delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
        ) {
            let serverDelegate =
                delegate.map { ForwardingSessionDelegate(trust, forwardingTo: $0) } ?? ServerTrustSessionDelegate(trust)
            self.init(configuration: configuration, delegate: serverDelegate, delegateQueue: delegateQueue)
        }
    }
#endif
