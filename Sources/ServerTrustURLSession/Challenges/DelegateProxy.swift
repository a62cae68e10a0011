// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import ServerTrust

    /// What a delegate said to a challenge.
    enum ChallengeAnswer: Sendable {
        /// nil: go on without one.
        case use(URLCredential?)
        case defaultHandling
        case cancel
        case reject

        init(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
            switch disposition {
            case .useCredential: self = .use(credential)
            case .performDefaultHandling: self = .defaultHandling
            case .rejectProtectionSpace: self = .reject
            case .cancelAuthenticationChallenge: self = .cancel
            }
        }
    }

    /// Puts questions to the delegates of one task, on the session's delegate queue.
    ///
    /// The delegate that doesn't implement a method can't be told from one that answers with default handling, as Foundation's
    /// protocols have default implementations. So after default handling the task's delegate is asked where on Apple platforms it
    /// is asked if the session's has no such method.
    final class ChallengeAsker: Sendable {
        private let session: URLSession
        private let task: URLSessionTask
        private let ownDelegate: (any URLSessionTaskDelegate)?
        let limits: TimeLimits
        let url: URL
        /// What a delegate's answer to a question about the connection has come to, which the connection can't say.
        private let failure = Locked<URLError?>(nil)

        init(
            session: URLSession, task: URLSessionTask, ownDelegate: (any URLSessionTaskDelegate)?, limits: TimeLimits,
            url: URL
        ) {
            self.session = session
            self.task = task
            self.ownDelegate = ownDelegate
            self.limits = limits
            self.url = url
        }

        /// Keeps why the connection fails.
        func fail(_ error: URLError) -> URLError {
            failure.withLock { $0 = error }
            return error
        }

        func failing<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch {
                throw fail(
                    SessionError.make(
                        .clientCertificateRejected, at: url, "the identity can't be used: \(error)"))
            }
        }

        /// Why the connection failed, if it was for an answer.
        var keptFailure: URLError? { failure.withLock { $0 } }

        private var sessionDelegate: (any URLSessionDelegate)? { session.delegate }
        private var taskDelegate: (any URLSessionTaskDelegate)? {
            ownDelegate ?? session.delegate as? any URLSessionTaskDelegate
        }

        // MARK: - Challenges

        /// About the connection: the session's delegate first, then the task's.
        func askAboutConnection(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
            if let delegate = sessionDelegate {
                let session = session
                let answer = await ask(orElse: .cancel) { reply in
                    delegate.urlSession(session, didReceive: challenge) { reply(ChallengeAnswer($0, $1)) }
                }
                guard case .defaultHandling = answer else { return answer }
            }
            return await askAboutRequest(challenge)
        }

        /// About the request: the task's delegate alone.
        func askAboutRequest(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
            guard let delegate = taskDelegate else { return .defaultHandling }
            let (session, task) = (session, task)
            return await ask(orElse: .cancel) { reply in
                delegate.urlSession(session, task: task, didReceive: challenge) { reply(ChallengeAnswer($0, $1)) }
            }
        }

        // MARK: - Everything else

        /// Whether to follow a redirect, and with which request; nil to take the redirect for the answer.
        func askAboutRedirect(_ response: HTTPURLResponse, _ request: URLRequest) async -> URLRequest? {
            guard let delegate = taskDelegate else { return request }
            let (session, task) = (session, task)
            return await ask(orElse: nil) { reply in
                delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                    completionHandler: reply)
            }
        }

        /// A body that hasn't been read; nil if there is none to be had.
        func askForBody() async -> InputStream? {
            guard let delegate = taskDelegate else { return nil }
            let (session, task) = (session, task)
            return await ask(orElse: UncheckedStream(nil)) { reply in
                delegate.urlSession(session, task: task, needNewBodyStream: { reply(UncheckedStream($0)) })
            }.stream
        }

        /// What to keep; nil for nothing.
        func askAboutCaching(_ proposed: CachedURLResponse) async -> CachedURLResponse? {
            guard let delegate = taskDelegate as? any URLSessionDataDelegate, let task = task as? URLSessionDataTask
            else { return proposed }
            let session = session
            return await ask(orElse: nil) { reply in
                delegate.urlSession(
                    session, dataTask: task, willCacheResponse: proposed, completionHandler: reply)
            }
        }

        /// Tells how much of the body is on its way.
        func tellSent(_ bytes: Int, total: Int64, expected: Int64) {
            guard let delegate = taskDelegate else { return }
            let (session, task) = (session, task)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session, task: task, didSendBodyData: Int64(bytes), totalBytesSent: total,
                    totalBytesExpectedToSend: expected)
            }
        }

        /// Asks on the delegate queue. A task doesn't run out of time between bytes while somebody thinks.
        /// - Parameter fallback: the answer if the task is cancelled, or if the delegate throws its handler away.
        private func ask<Answer: Sendable>(
            orElse fallback: Answer, _ question: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
        ) async -> Answer {
            limits.pause()
            defer { limits.resume() }
            let reply = Reply<Answer>()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    reply.wait(continuation)
                    session.delegateQueue.addOperation {
                        // Held by the delegate's handler alone.
                        let handler = ReplyHandler(reply, orElse: fallback)
                        question { handler.reply.give($0) }
                    }
                }
            } onCancel: {
                reply.give(fallback)
            }
        }
    }

    /// One answer, the first one.
    private final class Reply<Answer: Sendable>: Sendable {
        private enum State {
            case nobody
            case waiting(CheckedContinuation<Answer, Never>)
            case given(Answer)
            case done
        }
        private let state = Locked(State.nobody)

        func wait(_ continuation: CheckedContinuation<Answer, Never>) {
            let given: Answer? = state.withLock { state in
                guard case .given(let answer) = state else {
                    state = .waiting(continuation)
                    return nil
                }
                state = .done
                return answer
            }
            if let given { continuation.resume(returning: given) }
        }

        func give(_ answer: Answer) {
            let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
                switch state {
                case .nobody:
                    state = .given(answer)
                    return nil
                case .waiting(let continuation):
                    state = .done
                    return continuation
                case .given, .done: return nil
                }
            }
            continuation?.resume(returning: answer)
        }
    }

    /// Answers when nobody can any more, because the delegate has thrown its handler away.
    private final class ReplyHandler<Answer: Sendable>: Sendable {
        let reply: Reply<Answer>
        private let fallback: Answer

        init(_ reply: Reply<Answer>, orElse fallback: Answer) {
            self.reply = reply
            self.fallback = fallback
        }

        deinit { reply.give(fallback) }
    }

    /// Carries a stream from the delegate to the one task that reads it.
    ///
    /// Proof of sendability: handed over once; the delegate promised an unopened stream that is nobody else's.
    struct UncheckedStream: @unchecked Sendable {
        let stream: InputStream?
        init(_ stream: InputStream?) { self.stream = stream }
    }

    /// Challenges of this package are answered through the delegate's completion handler. On Apple platforms `URLSession`'s have a
    /// sender that is not to be used, too.
    final class SilentSender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
#endif
