// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
import FoundationNetworking

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
#endif
