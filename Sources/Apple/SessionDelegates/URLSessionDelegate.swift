// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking

    /// Foundation's protocol of the same name, with the `async` form of the challenge method, as on Apple platforms.
    ///
    /// Foundation's protocol on Linux requires the form with a completion handler alone. An `async` method compiles there, and nothing calls it.
    /// In a file that imports ServerTrustURLSession the name stands for this protocol, and a class may have either form:
    ///
    /// ```swift
    /// final class Pinning: NSObject, URLSessionDelegate {
    ///     func urlSession(
    ///         _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ///     ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { … }
    /// }
    /// ```
    /// A class with both forms is asked by the completion handler first. If that answers default handling, it is asked by the `async` method too.
    ///
    /// Not seen: a method that a subclass adds to a class that conforms to the protocol without one. Swift connects a protocol with the methods of
    /// the class that declares the conformance. Sessions with a policy refuse the server of such a subclass.
    public protocol URLSessionDelegate: FoundationNetworking.URLSessionDelegate {
        /// Answers a challenge about a connection. Default handling unless the class has the method.
        func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?)
    }

    extension URLSessionDelegate {
        /// Answers default handling: the class has no `async` method.
        public func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
        ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            (challenge as? any ObservedChallenge)?.recordMissingMethod()
            return (.performDefaultHandling, nil)
        }

        /// Answers with the `async` method: the class has no method with a completion handler.
        public func urlSession(
            _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            (challenge as? any ObservedChallenge)?.recordAsyncForm()
            Task {
                let (disposition, credential) = await self.urlSession(session, didReceive: challenge)
                completionHandler(disposition, credential)
            }
        }
    }
#endif
