#if canImport(Security)
    import Foundation
    import PKIX
    import Security
    import ServerTrust

    #if canImport(AppleURLSession)
        // The stub, where this is type-checked on Linux.
        import AppleURLSession
    #endif

    /// A base class for the delegate of a `URLSession`: answers server trust challenges by a manager, and leaves everything else to
    /// default handling.
    ///
    /// ```swift
    /// final class AppDelegate: ServerTrustSessionDelegate { … }
    /// let session = URLSession(configuration: .default, delegate: AppDelegate(manager), delegateQueue: nil)
    /// ```
    ///
    /// The system validates the path and the pins are compared with it (`TrustEngine.system`), unless told otherwise. A refused
    /// server ends the task with -999, as every cancelled challenge does on Apple platforms; ``refusal(of:)`` tells why. Override
    /// the challenge methods for other kinds of challenges, and call `super` for this one.
    ///
    /// Type-checked on Linux over stubs; not run on an Apple system.
    open class ServerTrustSessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
        // Proof of sendability: constant but for the refusals, which are locked. A subclass speaks for its own state.
        public let manager: ServerTrustManager
        public let engine: TrustEngine
        private let refusals = Locked(SessionRefusals())

        /// - Parameters:
        ///   - manager: hosts to evaluators.
        ///   - engine: who validates the path; the operating system unless given.
        public init(_ manager: ServerTrustManager, engine: TrustEngine = .system) {
            self.manager = manager
            self.engine = engine
            super.init()
        }

        /// The verdict by which the last connection to a host was refused; nil if it was trusted, or if there was none. At most 256
        /// hosts are remembered.
        public func refusal(of host: String) -> TrustVerdict? { refusals.withLock { $0[host] } }

        /// Asked about the connection.
        open func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let decision = decision(on: challenge)
            completionHandler(decision.disposition, decision.credential)
        }

        /// Asked about the request.
        open func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let decision = decision(on: challenge)
            completionHandler(decision.disposition, decision.credential)
        }

        private func decision(on challenge: URLAuthenticationChallenge) -> ChallengeDecision {
            let decision = ChallengeDecision(challenge, manager, engine)
            if let verdict = decision.verdict {
                let host = challenge.protectionSpace.host
                refusals.withLock { $0[host] = verdict.isTrusted ? nil : verdict }
            }
            return decision
        }
    }
#endif
