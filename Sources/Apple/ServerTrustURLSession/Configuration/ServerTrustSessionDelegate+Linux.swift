// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import PKIX
import SecurityCompatibility
import ServerTrust
import SessionDelegates

/// A base class for the delegate of a `URLSession`. It answers server trust challenges with a manager, and uses
/// default handling for all other challenges. Apple platforms have the same class.
///
/// ```swift
/// final class AppDelegate: ServerTrustSessionDelegate { … }
/// let session = URLSession(configuration: .default, delegate: AppDelegate(manager), delegateQueue: nil)
/// ```
///
/// On Linux, only this package's sessions send server trust challenges. The initializer above creates such a
/// session. A session that Foundation creates never sends any. When one of its tasks ends, the manager emits the
/// warning event `sessionWithoutPolicy`. The first such task in a process is also logged. Foundation doesn't tell
/// the delegate about the end of `data(from:)` or of tasks with a completion handler, so these cause no warning.
///
/// If the server is refused, the task fails with -1200 to -1204. On Apple platforms, the code is -999.
/// ``refusal(of:)`` returns the reason on both. To handle other kinds of challenges, override the challenge methods
/// and call `super` for server trust challenges. You can override either form of a method: the one with a
/// completion handler, or, on Linux, the `async` one. In a subclass, an `async` method needs `override`, or nothing
/// calls it.
open class ServerTrustSessionDelegate: NSObject, SessionDelegates.URLSessionTaskDelegate, @unchecked Sendable {
    // Proof of sendability: constant but for the refusals, which are locked. Subclasses are responsible for their
    // own state.

    /// The hosts and their evaluators.
    public let manager: ServerTrustManager
    private let refusals = Locked(SessionRefusals())

    /// Creates a delegate.
    /// - Parameter manager: the rules for hosts.
    public init(_ manager: ServerTrustManager) {
        self.manager = manager
        super.init()
    }

    /// Returns the verdict that refused the last task to a host, or nil if the host was trusted or there was no
    /// task. The delegate remembers at most 256 hosts. After a redirect, the host is that of the redirect's target.
    public func refusal(of host: String) -> TrustVerdict? {
        refusals.withLock { $0[host.lowercased()] }
    }

    /// Answers a challenge about the connection by calling the `async` method.
    open func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(completionHandler) { await self.urlSession(session, didReceive: challenge) }
    }

    /// Answers a challenge about the connection.
    open func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (disposition(session, challenge), nil)
    }

    /// Answers a challenge about the request by calling the `async` method.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(completionHandler) { await self.urlSession(session, task: task, didReceive: challenge) }
    }

    /// Answers a challenge about the request.
    open func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (disposition(session, challenge), nil)
    }

    /// Stores the reason for a refusal. A subclass that overrides this method calls `super`.
    open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        reportUncovered(session)
        let failure = error as? URLError
        let verdict = failure?.serverTrustVerdict
        // A task that failed for another reason says nothing about the server.
        guard error == nil || verdict != nil else { return }
        // After a redirect, the refused server isn't the first one, which was trusted.
        let last = failure?.failingURL ?? task.currentRequest?.url
        for host in [task.originalRequest?.url?.host, last?.host].compactMap(\.self) {
            record(host == last?.host ? verdict : nil, of: host)
        }
    }

    /// Returns the answer to a challenge. Default handling is the evaluation by the session's own rules. If this
    /// delegate has another manager, its rules have to be met too.
    private func disposition(
        _ session: URLSession, _ challenge: URLAuthenticationChallenge
    ) -> URLSession.AuthChallengeDisposition {
        // A subclass has answered default handling in its own method without calling this class.
        guard (challenge as? any ObservedChallenge)?.isRepeated != true else { return .performDefaultHandling }
        reportUncovered(session)
        let space = challenge.protectionSpace
        guard let secTrust = space.serverTrust else { return .performDefaultHandling }
        let configuration = session.configuration as? ServerTrustSessionConfiguration
        if configuration?.policy?.trust.manager === manager { return .performDefaultHandling }
        guard let host = try? Hostname(space.host) else { return .cancelAuthenticationChallenge }
        let verdict = manager.evaluate(secTrust, host: host)
        guard !verdict.isTrusted else { return .performDefaultHandling }
        record(verdict, of: space.host)
        return .cancelAuthenticationChallenge
    }

    /// If the session has no policy, emits the manager's warning event, once per manager, and logs a warning, once
    /// per process.
    private func reportUncovered(_ session: URLSession) {
        guard !(session.configuration is any TrustedSessionConfiguration) else { return }
        UncoveredSession.report()
        manager.emitConfigurationWarnings([.sessionWithoutPolicy])
    }

    private func record(_ refusal: TrustVerdict?, of host: String) {
        refusals.withLock { $0[host.lowercased()] = refusal }
    }
}
#endif
