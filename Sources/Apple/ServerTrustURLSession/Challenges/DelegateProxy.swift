// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import PKIX
import ServerTrust
import SessionDelegates

/// A delegate's answer to a challenge.
enum ChallengeAnswer: Sendable {
    /// Uses the credential. With nil, continues without a credential.
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

/// The object that calls the delegates of a task, on the session's delegate queue.
///
/// For a challenge about the connection it calls the session-level method. It calls the task-level method of the
/// same delegate only if the delegate has no session-level method, as on Apple platforms. This package's protocols
/// report a method that is missing in both forms. A method with a completion handler also counts as missing if it
/// answers default handling before it returns, without a credential and without reading the challenge. **Not
/// distinguished:** an app's method that does exactly that. The task-level method is called after it.
///
/// If a delegate has both forms of a method, the form with the completion handler is called first. If its answer is
/// default handling, the `async` form is called too, because either form may refuse.
///
/// A task's own delegate is always called after default handling, because it is a separate object that may decide
/// differently.
final class DelegateProxy: Sendable {
    private let session: URLSession
    private let task: URLSessionTask
    private let ownDelegate: (any FoundationNetworking.URLSessionTaskDelegate)?
    let limits: TimeLimits
    let url: URL
    /// The error that a delegate's answer about the connection caused. The connection itself can't return it.
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

    /// Stores the reason why the connection fails.
    func recordFailure(_ error: URLError) -> URLError {
        failure.withLock { $0 = error }
        return error
    }

    func recordingFailure<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            throw recordFailure(
                SessionError.make(
                    .clientCertificateRejected, at: url, "the client identity can't be used: \(error)"))
        }
    }

    /// The error of the connection, if a delegate's answer caused it.
    var recordedFailure: URLError? { failure.withLock { $0 } }

    private var sessionDelegate: (any FoundationNetworking.URLSessionDelegate)? { session.foundationDelegate }
    private var taskDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        ownDelegate ?? session.foundationDelegate as? any FoundationNetworking.URLSessionTaskDelegate
    }

    // MARK: - Challenges

    /// Returns the answer to a challenge about the connection. Calls the session's delegate first, then the task's.
    func connectionChallenge(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
        if let delegate = sessionDelegate {
            let recorded = RecordingChallenge(challenge)
            let isSilent = Locked(false)
            let answer = await call(orElse: .cancel) { [self] reply in
                // A missing method answers at once, so an answer like that waits until the method has returned: the
                // method may still read the challenge.
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
                // The `async` form may answer from another thread before this method returns. If that form is
                // missing, it records that itself.
                isSilent.withLock { $0 = !recorded.wasRead && !recorded.wasAskedAsAsync }
                reply(.defaultHandling)
            }
            guard case .defaultHandling = answer else { return answer }
            var isMissing = isSilent.withLock { $0 } || recorded.isMethodMissing
            if !recorded.wasAskedAsAsync, let other = delegate as? any SessionDelegates.URLSessionDelegate {
                let second = RecordingChallenge(challenge, isRepeated: true)
                let answer = await callAsync { [session] in await other.urlSession(session, didReceive: second) }
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

    /// Returns the answer to a challenge about the request. Only calls the task's delegate.
    func requestChallenge(_ challenge: URLAuthenticationChallenge) async -> ChallengeAnswer {
        await requestChallenge(RecordingChallenge(challenge))
    }

    /// If a task's own delegate doesn't have the method, the session's delegate gets the challenge, as in
    /// Foundation's default implementation.
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

    /// Calls the forms of the task-level method of one delegate.
    private func ask(
        _ delegate: any FoundationNetworking.URLSessionTaskDelegate, _ recorded: RecordingChallenge
    ) async -> ChallengeAnswer {
        let answer = await call(orElse: .cancel) { [self] reply in
            delegate.urlSession(session, task: task, didReceive: recorded) { reply(ChallengeAnswer($0, $1)) }
        }
        guard case .defaultHandling = answer, !recorded.wasAskedAsAsync,
            let other = delegate as? any SessionDelegates.URLSessionTaskDelegate
        else { return answer }
        let second = RecordingChallenge(recorded, isRepeated: true)
        return await callAsync { [session, task] in
            await other.urlSession(session, task: task, didReceive: second)
        }
    }

    /// Calls the `async` form of a challenge method.
    private func callAsync(
        _ method: @escaping @Sendable () async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    ) async -> ChallengeAnswer {
        await call(orElse: .cancel) { reply in
            Task {
                let (disposition, credential) = await method()
                reply(ChallengeAnswer(disposition, credential))
            }
        }
    }

    // MARK: - Everything else

    /// Returns the request that follows a redirect, or nil to deliver the redirect as the response.
    func redirection(_ response: HTTPURLResponse, _ request: URLRequest) async -> URLRequest? {
        guard let delegate = taskDelegate else { return request }
        return await call(orElse: nil) { [self] reply in
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: reply)
        }
    }

    /// Returns a body that hasn't been read, or nil if the delegate has none.
    func newBodyStream() async -> InputStream? {
        guard let delegate = taskDelegate else { return nil }
        return await call(orElse: TransferredStream(nil)) { [self] reply in
            delegate.urlSession(session, task: task, needNewBodyStream: { reply(TransferredStream($0)) })
        }.stream
    }

    /// Returns what the delegate does with a response. A delegate without the method, or one that releases the
    /// handler without calling it, allows it.
    func disposition(of response: URLResponse) async -> URLSession.ResponseDisposition {
        guard let delegate = taskDelegate as? any FoundationNetworking.URLSessionDataDelegate,
            let task = task as? URLSessionDataTask
        else { return .allow }
        return await call(orElse: .allow) { [self] reply in
            delegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: reply)
        }
    }

    /// Returns the response to store, or nil to store none.
    func willCache(_ proposed: CachedURLResponse) async -> CachedURLResponse? {
        guard let delegate = taskDelegate as? any FoundationNetworking.URLSessionDataDelegate,
            let task = task as? URLSessionDataTask
        else { return proposed }
        return await call(orElse: nil) { [self] reply in
            delegate.urlSession(
                session, dataTask: task, willCacheResponse: proposed, completionHandler: reply)
        }
    }

    /// Reports how many bytes of the body have been sent.
    func reportSent(_ bytes: Int, total: Int64, expected: Int64) {
        guard let delegate = taskDelegate else { return }
        session.delegateQueue.addOperation { [self] in
            delegate.urlSession(
                session, task: task, didSendBodyData: Int64(bytes), totalBytesSent: total,
                totalBytesExpectedToSend: expected)
        }
    }

    /// Reports how many bytes of a download were written, including earlier ones that the delegate hasn't been told
    /// about.
    /// - Parameter done: called with the number of bytes that a report has covered, or at once if the delegate
    ///   takes no reports.
    func reportWritten(
        _ bytes: Int, _ progress: WrittenBytes, expected: Int64, done: @escaping @Sendable (Int) -> Void
    ) {
        guard let delegate = session.foundationDelegate as? any FoundationNetworking.URLSessionDownloadDelegate,
            let task = task as? URLSessionDownloadTask
        else { return done(bytes) }
        guard progress.add(bytes) else { return }
        session.delegateQueue.addOperation { [self] in
            let (bytes, total) = progress.take()
            delegate.urlSession(
                session, downloadTask: task, didWriteData: Int64(bytes), totalBytesWritten: total,
                totalBytesExpectedToWrite: expected)
            done(bytes)
        }
    }

    /// Calls a method on the delegate queue. The task's idle time is paused meanwhile.
    /// - Parameter fallback: the answer if the task is canceled, or if the delegate releases its handler without
    ///   calling it.
    private func call<Answer: Sendable>(
        orElse fallback: Answer, _ method: @escaping @Sendable (@escaping @Sendable (Answer) -> Void) -> Void
    ) async -> Answer {
        limits.pause()
        defer { limits.resume() }
        return await firstAnswer(orElse: fallback) { answer in
            session.delegateQueue.addOperation { method(answer) }
        }
    }
}

/// A stream on its way from the delegate to the one task that reads it.
///
/// Proof of sendability: handed over once; the delegate promises an unopened stream without other users.
struct TransferredStream: @unchecked Sendable {
    let stream: InputStream?
    init(_ stream: InputStream?) { self.stream = stream }
}

/// A sender that does nothing. The delegate answers this package's challenges with the completion handler. The
/// sender of `URLSession`'s challenges on Apple platforms isn't meant to be used either.
final class InertChallengeSender: NSObject, URLAuthenticationChallengeSender {
    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
    func cancel(_ challenge: URLAuthenticationChallenge) {}
    func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
}
#endif
