// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)

import FoundationNetworking

extension URLSession {
    /// Foundation's `delegate`. In ServerTrustURLSession, this name means a property of that module.
    package var foundationDelegate: (any FoundationNetworking.URLSessionDelegate)? { delegate }
}

extension URLSessionTask {
    /// Foundation's `delegate`. In ServerTrustURLSession, this name means a property of that module.
    package var foundationDelegate: (any FoundationNetworking.URLSessionTaskDelegate)? {
        get { delegate }
        set { delegate = newValue }
    }
}

/// A challenge that records which forms of a method a delegate has. The default implementations of the protocols
/// call it.
package protocol ObservedChallenge: AnyObject {
    /// Whether the delegate has already answered the challenge with a method that has a completion handler.
    var isRepeated: Bool { get }
    /// Records that the class has no method with a completion handler, so its `async` method answers.
    func recordAsyncForm()
    /// Records that the class has no `async` method.
    func recordMissingMethod()
}

extension URLAuthenticationChallenge {
    /// Answers with an `async` method, because the class has no method with a completion handler.
    package func answer(
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void,
        by method: @escaping @Sendable () async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    ) {
        (self as? any ObservedChallenge)?.recordAsyncForm()
        Task {
            let (disposition, credential) = await method()
            completionHandler(disposition, credential)
        }
    }
}

/// Returns the first answer of a completion handler.
/// - Parameters:
///   - fallback: the answer if the task is canceled, or if the handler is released without a call.
///   - ask: passes the handler to the method that answers.
package func firstAnswer<Answer: Sendable>(
    orElse fallback: Answer, _ ask: (_ handler: @escaping @Sendable (Answer) -> Void) -> Void
) async -> Answer {
    let (answers, continuation) = AsyncStream.makeStream(of: Answer.self, bufferingPolicy: .bufferingOldest(1))
    ask { [end = StreamEnd(continuation)] in end.continuation.yield($0) }
    for await answer in answers { return answer }
    return fallback
}

/// Ends a stream when it is released.
private final class StreamEnd<Element>: Sendable {
    let continuation: AsyncStream<Element>.Continuation

    init(_ continuation: AsyncStream<Element>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
}

#endif
