// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
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
    /// The system validates the path and the pins are compared with it (`TrustEngine.system`), unless another engine is set. A refused
    /// server ends the task with -999, as every canceled challenge does on Apple platforms; ``refusal(of:)`` has the reason. Override
    /// the challenge methods for other kinds of challenges, and call `super` for this one.
    ///
    /// Type-checked on Linux over stubs; not run on an Apple system.
    open class ServerTrustSessionDelegate: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
        // Proof of sendability: constant but for the refusals, which are locked. A subclass speaks for its own state.
        public var manager: ServerTrustManager { trust.manager }
        public let engine: TrustEngine
        private let trust: ServerTrustConfiguration
        private let refusals = Locked(SessionRefusals())

        /// - Parameters:
        ///   - manager: hosts to evaluators.
        ///   - engine: the validator of the path; the operating system unless given.
        public init(_ manager: ServerTrustManager, engine: TrustEngine = .system) {
            self.trust = ServerTrustConfiguration(manager)
            self.engine = engine
            super.init()
        }

        /// - Parameters:
        ///   - trust: the manager, and the settings of each trust object.
        ///   - engine: the validator of the path; the operating system unless given.
        package init(_ trust: ServerTrustConfiguration, engine: TrustEngine = .system) {
            trust.emitWarnings()
            self.trust = trust
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
            let decision = ChallengeDecision(challenge, trust, engine)
            note(decision, challenge)
            return decision
        }

        private func note(_ decision: ChallengeDecision, _ challenge: URLAuthenticationChallenge) {
            guard let verdict = decision.verdict else { return }
            let host = challenge.protectionSpace.host
            refusals.withLock { $0[host] = verdict.isTrusted ? nil : verdict }
        }

        /// Answers a server trust challenge with another delegate's say in it: `ask` puts the challenge to that delegate, which may
        /// refuse any server and accept one only where the rules leave that to it. The rules are asked before it is, and not at all
        /// for a host that they deny. Its first answer counts.
        package func answer(
            _ challenge: URLAuthenticationChallenge,
            asking ask: (
                @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
            ) -> Void,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            guard let review = ChallengeReview(challenge, trust, engine) else {
                let decision = ChallengeDecision.unreadable
                return completionHandler(decision.disposition, decision.credential)
            }
            let once = OneAnswer { [self] decision in
                let answer = review.decision(decision)
                note(answer, challenge)
                completionHandler(answer.disposition, answer.credential)
            }
            guard !review.isDenied else { return once.give(.defaultHandling) }
            ask { disposition, credential in
                once.give(DelegateDecision(disposition, hasCredential: credential != nil))
            }
        }
    }

    /// Takes the first answer and no other.
    private final class OneAnswer: Sendable {
        private let take: Locked<Box?>

        /// Proof of sendability: the closure is taken out under the lock, by the one caller that then runs it, and is
        /// referenced nowhere else.
        private struct Box: @unchecked Sendable {
            let body: (DelegateDecision) -> Void
        }

        init(_ body: @escaping (DelegateDecision) -> Void) { take = Locked(Box(body: body)) }

        func give(_ decision: DelegateDecision) {
            let box = take.withLock { box in
                defer { box = nil }
                return box
            }
            box?.body(decision)
        }
    }
#endif
