// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import SecurityCompatibility
    import ServerTrust
    import SessionDelegates

    /// A base class for the delegate of a `URLSession`: answers server trust challenges by a manager, and leaves everything else to
    /// default handling. The same class is there on Apple platforms.
    ///
    /// ```swift
    /// final class AppDelegate: ServerTrustSessionDelegate { … }
    /// let session = URLSession(configuration: .default, delegate: AppDelegate(manager), delegateQueue: nil)
    /// ```
    ///
    /// On Linux only sessions of this package send challenges. The initializer above makes one. A session that Foundation makes
    /// never asks. At the end of a task of such a session the manager emits the warning event `sessionWithoutPolicy`, and the first one in
    /// a process is logged. Foundation doesn't tell the delegate of the end of tasks with a completion handler, nor of `data(from:)`, so these
    /// aren't noticed.
    ///
    /// A refused server ends the task with -1200 to -1204, where Apple platforms have -999; ``refusal(of:)`` has the reason on both.
    /// Override the challenge methods for other kinds of challenges, and call `super` for this one. Override either form of a method: the one with a
    /// completion handler, or on Linux the `async` one. A subclass's `async` method needs `override`; nothing would call it otherwise.
    open class ServerTrustSessionDelegate: NSObject, SessionDelegates.URLSessionTaskDelegate, @unchecked Sendable {
        // Proof of sendability: constant but for the refusals, which are locked. A subclass speaks for its own state.

        /// The hosts and their evaluators.
        public let manager: ServerTrustManager
        private let refusals = Locked(SessionRefusals())

        /// Creates a delegate.
        /// - Parameter manager: hosts to evaluators.
        public init(_ manager: ServerTrustManager) {
            self.manager = manager
            super.init()
        }

        /// The verdict by which the last task to a host was refused; nil if it was trusted, or if there was none. At most 256 hosts are
        /// remembered. After a redirect the host is that of its target.
        public func refusal(of host: String) -> TrustVerdict? {
            refusals.withLock { $0[host.lowercased()] }
        }

        /// Answers a challenge about the connection, with the `async` method.
        open func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            (challenge as? any ObservedChallenge)?.recordAsyncForm()
            Task {
                let (disposition, credential) = await self.urlSession(session, didReceive: challenge)
                completionHandler(disposition, credential)
            }
        }

        /// Answers a challenge about the connection.
        open func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            (disposition(session, challenge), nil)
        }

        /// Answers a challenge about the request, with the `async` method.
        open func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            (challenge as? any ObservedChallenge)?.recordAsyncForm()
            Task {
                let (disposition, credential) = await self.urlSession(session, task: task, didReceive: challenge)
                completionHandler(disposition, credential)
            }
        }

        /// Answers a challenge about the request.
        open func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            (disposition(session, challenge), nil)
        }

        /// Keeps the reason of a refusal. A subclass that overrides this method calls `super`.
        open func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            reportUncovered(session)
            let failure = error as? URLError
            let verdict = failure?.serverTrustVerdict
            // A task that failed for another reason says nothing about the server.
            guard error == nil || verdict != nil else { return }
            // After a redirect the server that was refused is another one than the first, which was trusted.
            let last = failure?.failingURL ?? task.currentRequest?.url
            for host in [task.originalRequest?.url?.host, last?.host].compactMap(\.self) {
                record(host == last?.host ? verdict : nil, of: host)
            }
        }

        /// Default handling is the evaluation by the session's own rules. Another manager's rules have to be met as well.
        private func disposition(
            _ session: URLSession, _ challenge: URLAuthenticationChallenge
        ) -> URLSession.AuthChallengeDisposition {
            // A subclass has answered default handling by a method of its own, and has not asked this class.
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

        /// Emits a warning event of the manager, once for the manager, and logs it, once in a process, if the session has no policy.
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
