// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

// Forwarding relies on Objective-C messages and optional methods, so Linux parses this file but doesn't type-check it.
// The decisions are in the two files next to it, which Linux does type-check.
#if canImport(ObjectiveC)
import Foundation
import ServerTrust

/// A session delegate that wraps an app's delegate. It answers server trust challenges with a manager and the app's
/// delegate. It forwards all other calls of every protocol that the app's delegate conforms to.
/// ``Foundation/URLSession/init(configuration:serverTrustManager:delegate:delegateQueue:)`` creates one.
///
/// If the app's delegate has a method for server trust challenges, this class calls it. The app's delegate can
/// refuse any server. It can accept a server that the manager refuses only if the rule requires just default
/// evaluation, and only if all failures are recoverable. It can't override pins, a custom evaluator, required
/// revocation or a rule that denies the host. The manager evaluates the server first, so anchors, names, dates or
/// exceptions that the delegate sets in the `SecTrust` change nothing. Set them in the rule instead.
///
/// Not prevented: the system looks up and connects to a host that the rules deny. It sends the challenge only after
/// the server has presented its certificates.
///
/// The session keeps this object alive, and this object keeps the app's delegate alive, as the session itself
/// would. Linux parses this class but doesn't type-check it, and it hasn't been run on an Apple system.
public final class ForwardingSessionDelegate: ServerTrustSessionDelegate, @unchecked Sendable {
    private typealias Answer = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    // Proof of sendability: constant; the delegate is sendable, like every session's delegate.
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
        // If an app's delegate only has the task-level method, the system calls that one, as it would without this
        // object in between.
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
    /// Creates a session whose connections `manager` evaluates. The same line compiles on Linux.
    ///
    /// The system validates the path, and the manager compares the pins with it. `delegate` can accept and refuse
    /// servers as on Linux (``ForwardingSessionDelegate``).
    /// - Parameters:
    ///   - configuration: all other settings. The session copies them.
    ///   - delegate: receives all other calls, and is asked about servers after the manager. The session keeps it
    ///     alive until you invalidate the session.
    ///   - delegateQueue: the queue for delegate calls. The default is a serial queue that the session creates.
    public convenience init(
        configuration: URLSessionConfiguration, serverTrustManager manager: ServerTrustManager,
        delegate: (any URLSessionDelegate)?, delegateQueue: OperationQueue? = nil
    ) {
        self.init(
            configuration: configuration, serverTrust: ServerTrustConfiguration(manager), delegate: delegate,
            delegateQueue: delegateQueue)
    }

    /// Creates a session whose connections `trust` evaluates. The same line compiles on Linux.
    ///
    /// Works like the initializer with a manager, and also applies the settings of `trust` to each trust object. If
    /// the system's evaluation can't follow a setting, the server is refused or the verdict names the setting
    /// (`Trust.init(_:host:using:)`).
    ///
    /// Not used: `TrustSettings.fetching`. The system fetches by its own rules. Where this package's engine
    /// evaluates, it doesn't fetch missing CRLs or OCSP responses.
    /// - Parameters:
    ///   - configuration: all other settings. The session copies them.
    ///   - trust: the evaluation of servers.
    ///   - delegate: receives all other calls, and is asked about servers after the manager. The session keeps it
    ///     alive until you invalidate the session.
    ///   - delegateQueue: the queue for delegate calls. The default is a serial queue that the session creates.
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

#endif
