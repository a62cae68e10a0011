// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking

/// Foundation's protocol of the same name, with the `async` form of the challenge method, as on Apple platforms.
///
/// Foundation's protocol on Linux has only the form with a completion handler. An `async` method compiles there,
/// but nothing calls it. In a file that imports ServerTrustURLSession, the name means this protocol, and your class
/// may have either form:
///
/// ```swift
/// final class Pinning: NSObject, URLSessionDelegate {
///     func urlSession(
///         _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
///     ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { … }
/// }
/// ```
/// If a class has both forms, the session first calls the one with a completion handler. If that answers default
/// handling, the session also calls the `async` method.
///
/// Not seen: a method that a subclass adds, if its superclass conforms to the protocol without such a method. Swift
/// connects a protocol only with methods of the class that declares the conformance. Sessions with a policy refuse
/// the server of such a subclass.
public protocol URLSessionDelegate: FoundationNetworking.URLSessionDelegate {
    /// Answers a challenge about a connection. The answer is default handling unless the class has the method.
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
}

extension URLSessionDelegate {
    /// Answers default handling, because the class has no `async` method.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (challenge as? any ObservedChallenge)?.recordMissingMethod()
        return (.performDefaultHandling, nil)
    }

    /// Answers with the `async` method, because the class has no method with a completion handler.
    public func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        challenge.answer(completionHandler) { await self.urlSession(session, didReceive: challenge) }
    }
}
#endif
