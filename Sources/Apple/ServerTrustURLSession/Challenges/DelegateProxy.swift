// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX
    import ServerTrust
    import SessionDelegates

    /// A delegate's answer to a challenge.
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

    /// Calls the delegates of one task, on the session's delegate queue.
    ///
    /// A challenge about the connection goes to the session-level method, and to the task-level method of the same delegate only if
    /// there is no such method, as on Apple platforms. This package's protocols report a method that is missing in both forms. A method with a
    /// completion handler also counts as missing if it has answered default handling before it returned, without a credential,
    /// and has not read the challenge by then. **Not distinguished:** a method of the app's own that does just that; the task-level method
    /// is called after it.
    ///
    /// A delegate with both forms of a method is asked by the completion handler. If that answers default handling, the `async` form is asked too:
    /// one of them may refuse.
    ///
    /// A task's own delegate is called after default handling in any case: it is another object, with a decision of its own.
    final class DelegateProxy: Sendable {
        private let session: URLSession
        private let task: URLSessionTask
        private let ownDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?
        let limits: TimeLimits
        let url: URL
        /// The error that a delegate's answer about the connection led to, which the connection doesn't carry.
        private let failure = Locked<URLError?>(nil)

        init(
            session: URLSession, task: URLSessionTask, ownDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?,
            limits: TimeLimits,
            url: URL
        ) {
            self.session = session
            self.task = task
            self.ownDelegate = ownDelegate
            self.limits = limits
            self.url = url
        }

        /// Keeps the reason why the connection fails.
        func recordFailure(_ error: URLError) -> URLError {
            failure.withLock { $0 = error }
            return error
        }

        func recordingFailure<Result>(_ body: () throws -> Result) throws -> Result {
            do { return try body() } catch {
                throw recordFailure(
                    SessionError.make(
                        .clientCertificateRejected, at: url, "the identity can't be used: \(error)"))
            }
        }

        /// The error of the connection, if a delegate's answer led to it.
        var recordedFailure: URLError? { failure.withLock { $0 } }

        private var sessionDelegate: (any FoundationNetworking.URLSessionDelegate)? { session.foundationDelegate }
        private var taskDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
            ownDelegate ?? session.foundationDelegate as? any FoundationNetworking.URLSessionTaskDelegate
        }

        // MARK: - Challenges

        /// About the connection: the session's delegate first, then the task's.
        func connectionChallenge(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
            if let delegate = sessionDelegate {
                let session = session
                let recorded = RecordingChallenge(challenge)
                let isSilent = Locked(false)
                let answer = await call(orElse: .cancel) { reply in
                    // An answer as that of a missing method waits until the method has returned: it may still read the challenge.
                    let state = Locked((hasAnswered: false, isWaiting: false, hasReturned: false))
                    delegate.urlSession(session, didReceive: recorded) { disposition, credential in
                        let isDefault = disposition == .performDefaultHandling && credential == nil
                        let isWaiting = state.withLock { state in
                            if !state.hasAnswered {
                                state.hasAnswered = true
                                state.isWaiting = isDefault && !recorded.wasRead && !state.hasReturned
                            }
                            return state.isWaiting
                        }
                        if !isWaiting { reply(ChallengeAnswer(disposition, credential)) }
                    }
                    let isWaiting = state.withLock { state in
                        state.hasReturned = true
                        return state.isWaiting
                    }
                    guard isWaiting else { return }
                    // The `async` form may answer from another thread before this one returns. A missing form records itself.
                    isSilent.withLock { $0 = !recorded.wasRead && !recorded.wasAskedAsAsync }
                    reply(.defaultHandling)
                }
                guard case .defaultHandling = answer else { return answer }
                var isMissing = isSilent.withLock { $0 } || recorded.isMethodMissing
                if !recorded.wasAskedAsAsync, let other = delegate as? any SessionDelegates.URLSessionDelegate {
                    let second = RecordingChallenge(challenge, isRepeated: true)
                    let answer = await call(orElse: .cancel) { reply in
                        Task {
                            let (disposition, credential) = await other.urlSession(session, didReceive: second)
                            reply(ChallengeAnswer(disposition, credential))
                        }
                    }
                    guard case .defaultHandling = answer else { return answer }
                    isMissing = isMissing && second.isMethodMissing
                }
                if recorded.isMethodMissing, let error = DelegateForms.hiddenMethod(ofSessionLevel: delegate, at: url) {
                    _ = recordFailure(error)
                    return .cancel
                }
                let isOwn = ownDelegate.map { $0 !== delegate } ?? false
                guard isOwn || isMissing else { return answer }
            }
            let recorded = RecordingChallenge(challenge)
            let answer = await requestChallenge(recorded)
            if case .defaultHandling = answer, recorded.isMethodMissing, let delegate = taskDelegate,
                let error = DelegateForms.hiddenMethod(ofTaskLevel: delegate, at: url)
            {
                _ = recordFailure(error)
                return .cancel
            }
            return answer
        }

        /// About the request: the task's delegate alone.
        func requestChallenge(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
            await requestChallenge(RecordingChallenge(challenge))
        }

        /// A task's own delegate without the method leaves the challenge to the session's delegate, as Foundation's default implementation does.
        private func requestChallenge(_ recorded: RecordingChallenge) async -> ChallengeAnswer {
            guard let delegate = taskDelegate else { return .defaultHandling }
            let answer = await ask(delegate, recorded)
            guard case .defaultHandling = answer, recorded.isMethodMissing,
                let shared = session.foundationDelegate as? any FoundationNetworking.URLSessionTaskDelegate,
                shared !== delegate, DelegateForms.hiddenMethod(ofTaskLevel: delegate, at: url) == nil
            else { return answer }
            let second = RecordingChallenge(recorded)
            let sharedAnswer = await ask(shared, second)
            if case .defaultHandling = sharedAnswer, second.isMethodMissing,
                let error = DelegateForms.hiddenMethod(ofTaskLevel: shared, at: url)
            {
                _ = recordFailure(error)
                return .cancel
            }
            return sharedAnswer
        }

        /// Asks the forms of the task-level method of one delegate.
        private func ask(
            _ delegate: any FoundationNetworking.URLSessionTaskDelegate, _ recorded: RecordingChallenge
        ) async -> ChallengeAnswer {
            let (session, task) = (session, task)
            let answer = await call(orElse: .cancel) { reply in
                delegate.urlSession(session, task: task, didReceive: recorded) { reply(ChallengeAnswer($0, $1)) }
            }
            guard case .defaultHandling = answer, !recorded.wasAskedAsAsync,
                let other = delegate as? any SessionDelegates.URLSessionTaskDelegate
            else { return answer }
            let second = RecordingChallenge(recorded, isRepeated: true)
            return await call(orElse: .cancel) { reply in
                Task {
                    let (disposition, credential) = await other.urlSession(session, task: task, didReceive: second)
                    reply(ChallengeAnswer(disposition, credential))
                }
            }
        }

        // MARK: - Everything else

        /// The request to follow a redirect with; nil to take the redirect for the answer.
        func redirection(_ response: HTTPURLResponse, _ request: URLRequest) async -> URLRequest? {
            guard let delegate = taskDelegate else { return request }
            let (session, task) = (session, task)
            return await call(orElse: nil) { reply in
                delegate.urlSession(
                    session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                    completionHandler: reply)
            }
        }

        /// A body that hasn't been read; nil if there is none to be had.
        func newBodyStream() async -> InputStream? {
            guard let delegate = taskDelegate else { return nil }
            let (session, task) = (session, task)
            return await call(orElse: TransferredStream(nil)) { reply in
                delegate.urlSession(session, task: task, needNewBodyStream: { reply(TransferredStream($0)) })
            }.stream
        }

        /// The response to keep; nil for none.
        func willCache(_ proposed: CachedURLResponse) async -> CachedURLResponse? {
            guard let delegate = taskDelegate as? any FoundationNetworking.URLSessionDataDelegate,
                let task = task as? URLSessionDataTask
            else { return proposed }
            let session = session
            return await call(orElse: nil) { reply in
                delegate.urlSession(
                    session, dataTask: task, willCacheResponse: proposed, completionHandler: reply)
            }
        }

        /// Reports the number of bytes of the body that are on their way.
        func reportSent(_ bytes: Int, total: Int64, expected: Int64) {
            guard let delegate = taskDelegate else { return }
            let (session, task) = (session, task)
            session.delegateQueue.addOperation {
                delegate.urlSession(
                    session, task: task, didSendBodyData: Int64(bytes), totalBytesSent: total,
                    totalBytesExpectedToSend: expected)
            }
        }

        /// Reports the number of bytes of a download that were written, with those of earlier reports that the delegate hasn't had.
        /// - Parameter done: called with the number of bytes that the delegate has had a report about, and at once if it takes none.
        func reportWritten(
            _ bytes: Int, _ progress: WrittenBytes, expected: Int64, done: @escaping @Sendable (Int) -> Void
        ) {
            guard let delegate = session.foundationDelegate as? any FoundationNetworking.URLSessionDownloadDelegate,
                let task = task as? URLSessionDownloadTask
            else { return done(bytes) }
            guard progress.add(bytes) else { return }
            let session = session
            session.delegateQueue.addOperation {
                let (bytes, total) = progress.take()
                delegate.urlSession(
                    session, downloadTask: task, didWriteData: Int64(bytes), totalBytesWritten: total,
                    totalBytesExpectedToWrite: expected)
                done(bytes)
            }
        }

        /// Calls a method on the delegate queue. The task's idle time stops meanwhile.
        /// - Parameter fallback: the answer if the task is canceled, or if the delegate throws its handler away.
        private func call<Answer: Sendable>(
            orElse fallback: Answer, _ method: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
        ) async -> Answer {
            limits.pause()
            defer { limits.resume() }
            let reply = Reply<Answer>()
            return await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    reply.wait(continuation)
                    session.delegateQueue.addOperation {
                        // Held by the delegate's handler alone.
                        let handler = AnswerHandler(reply, orElse: fallback)
                        method { handler.reply.resolve($0) }
                    }
                }
            } onCancel: {
                reply.resolve(fallback)
            }
        }
    }

    /// One answer, the first one.
    private final class Reply<Answer: Sendable>: Sendable {
        private enum State {
            case pending
            case waiting(CheckedContinuation<Answer, Never>)
            case resolved(Answer)
            case done
        }
        private let state = Locked(State.pending)

        func wait(_ continuation: CheckedContinuation<Answer, Never>) {
            let resolved: Answer? = state.withLock { state in
                guard case .resolved(let answer) = state else {
                    state = .waiting(continuation)
                    return nil
                }
                state = .done
                return answer
            }
            if let resolved { continuation.resume(returning: resolved) }
        }

        func resolve(_ answer: Answer) {
            let continuation: CheckedContinuation<Answer, Never>? = state.withLock { state in
                switch state {
                case .pending:
                    state = .resolved(answer)
                    return nil
                case .waiting(let continuation):
                    state = .done
                    return continuation
                case .resolved, .done: return nil
                }
            }
            continuation?.resume(returning: answer)
        }
    }

    /// Answers when the delegate has released its handler without calling it.
    private final class AnswerHandler<Answer: Sendable>: Sendable {
        let reply: Reply<Answer>
        private let fallback: Answer

        init(_ reply: Reply<Answer>, orElse fallback: Answer) {
            self.reply = reply
            self.fallback = fallback
        }

        deinit { reply.resolve(fallback) }
    }

    /// Carries a stream from the delegate to the one task that reads it.
    ///
    /// Proof of sendability: handed over once; the delegate promised an unopened stream that is used nowhere else.
    struct TransferredStream: @unchecked Sendable {
        let stream: InputStream?
        init(_ stream: InputStream?) { self.stream = stream }
    }

    /// Challenges of this package are answered through the delegate's completion handler. On Apple platforms `URLSession`'s have a
    /// sender that is not to be used, too.
    final class InertChallengeSender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }
#endif
