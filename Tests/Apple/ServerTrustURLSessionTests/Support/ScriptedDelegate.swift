// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX
import ServerTrustURLSession

/// A delegate that returns a test's answers and records its calls.
final class ScriptedDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Proof of sendability: the closures are set before the delegate is used. A lock protects the record.
    typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    struct Asked: Sendable, Equatable {
        var level: String
        var method: String
        var host: String
        var port: Int
        var realm: String?
        var failures: Int
        var proposed: String?
        var onDelegateQueue: Bool
    }

    struct Record: Sendable {
        var asked: [Asked] = []
        var redirects: [URL] = []
        var sent: [Int64] = []
        var data: [Data] = []
        var responses: [Int] = []
        var completed: [(any Error)?] = []
        var bodies = 0
    }

    var onSession: (@Sendable (URLAuthenticationChallenge) -> Answer)?
    var onTask: (@Sendable (URLAuthenticationChallenge) -> Answer)?
    var onRedirect: (@Sendable (URLRequest) -> URLRequest?)?
    var newBody: (@Sendable () -> InputStream?)?
    var onCaching: (@Sendable (CachedURLResponse) -> CachedURLResponse?)?
    private let locked = Locked(Record())
    private let done = AsyncStream<Void>.makeStream()

    var record: Record { locked.withLock { $0 } }

    /// Returns when a task is complete.
    func completion() async {
        for await _ in done.stream { return }
    }

    private func note(_ level: String, _ challenge: URLAuthenticationChallenge, _ session: URLSession) {
        let space = challenge.protectionSpace
        let asked = Asked(
            level: level, method: space.authenticationMethod, host: space.host, port: space.port, realm: space.realm,
            failures: challenge.previousFailureCount, proposed: challenge.proposedCredential?.user,
            onDelegateQueue: OperationQueue.current === session.delegateQueue)
        locked.withLock { $0.asked.append(asked) }
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // Without an answer, it acts like Foundation's default implementation, as a class without this method does.
        guard let onSession else { return completionHandler(.performDefaultHandling, nil) }
        note("session", challenge, session)
        let answer = onSession(challenge)
        completionHandler(answer.0, answer.1)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        note("task", challenge, session)
        let answer = onTask?(challenge) ?? (.performDefaultHandling, nil)
        completionHandler(answer.0, answer.1)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        if let url = request.url { locked.withLock { $0.redirects.append(url) } }
        completionHandler(onRedirect.map { $0(request) } ?? request)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        locked.withLock { $0.bodies += 1 }
        completionHandler(newBody?())
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        locked.withLock { $0.sent.append(totalBytesSent) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        locked.withLock { $0.responses.append((response as? HTTPURLResponse)?.statusCode ?? 0) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        locked.withLock { $0.data.append(data) }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, willCacheResponse proposedResponse: CachedURLResponse,
        completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        completionHandler(onCaching.map { $0(proposedResponse) } ?? proposedResponse)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        locked.withLock { $0.completed.append(error) }
        done.continuation.yield()
    }
}
