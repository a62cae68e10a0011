// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)

import Foundation
import FoundationNetworking
import PKIX

/// Foundation's protocol of the same name, with the `async` form of the challenge method, and with the metrics that
/// this package's sessions collect. See ``URLSessionDelegate``.
public protocol URLSessionTaskDelegate: FoundationNetworking.URLSessionTaskDelegate, URLSessionDelegate {
    /// Answers a challenge about a request. If a task's own delegate doesn't have the method, the session's
    /// delegate answers, as with Foundation's protocol.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)

    /// Receives the metrics of a task once, before `urlSession(_:task:didCompleteWithError:)`, whether the task
    /// succeeded, failed or was canceled.
    ///
    /// The session also calls this method for tasks with a completion handler. For a function such as
    /// `data(for:delegate:)`, it may call it after the function has returned. If a task's own delegate doesn't have
    /// the method, the session's delegate receives the metrics.
    ///
    /// Foundation's protocol has the same method with Foundation's class as its parameter. No session calls that
    /// method.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics)
}

extension URLSessionTaskDelegate {
    /// Does nothing, because the class doesn't have the method.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
    ) {
        MetricsMethods.recordMissing(in: self)
    }

    /// Answers with the session's delegate or by default handling, because the class has no `async` method.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        let observed = challenge as? any ObservedChallenge
        observed?.recordMissingMethod()
        // A session of this package asks its delegate itself, because Foundation doesn't always reveal a task's
        // delegate.
        guard observed == nil, self === task.foundationDelegate, self !== session.foundationDelegate,
            let other = session.foundationDelegate as? any FoundationNetworking.URLSessionTaskDelegate
        else { return (.performDefaultHandling, nil) }
        return await firstAnswer(orElse: (.cancelAuthenticationChallenge, nil)) { answer in
            other.urlSession(session, task: task, didReceive: challenge) { answer(($0, $1)) }
        }
    }

    /// Answers with the `async` method, because the class has no method with a completion handler.
    public func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(completionHandler) { await self.urlSession(session, task: task, didReceive: challenge) }
    }
}

/// Foundation's protocol of the same name, with the `async` forms of the challenge methods. See ``URLSessionDelegate``.
public protocol URLSessionDataDelegate: FoundationNetworking.URLSessionDataDelegate, URLSessionTaskDelegate {}

/// Foundation's protocol of the same name, with the `async` forms of the challenge methods. See ``URLSessionDelegate``.
public protocol URLSessionDownloadDelegate: FoundationNetworking.URLSessionDownloadDelegate, URLSessionTaskDelegate {}

/// Foundation's protocol of the same name, with the `async` forms of the challenge methods. See ``URLSessionDelegate``.
public protocol URLSessionWebSocketDelegate: FoundationNetworking.URLSessionWebSocketDelegate,
    URLSessionTaskDelegate
{}

#endif
