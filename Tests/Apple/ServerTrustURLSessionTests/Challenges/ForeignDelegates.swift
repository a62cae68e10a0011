// SPDX-License-Identifier: Apache-2.0

// Delegates in a file that doesn't import ServerTrustURLSession, so they conform to Foundation's protocols.
import Foundation
import FoundationNetworking
import Swift5Delegates

final class ForeignAsync: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

final class ForeignTaskAsync: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

final class ForeignCompletion: NSObject, URLSessionDataDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = forms.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }
}

final class ForeignNeither: NSObject, URLSessionTaskDelegate {}

/// Another file makes it conform to this package's protocol.
final class AdoptedAsync: NSObject, URLSessionTaskDelegate {
    private let forms: AskedForms
    init(_ forms: AskedForms) { self.forms = forms }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

/// Another file makes it conform only to this package's session-level protocol.
final class HalfAdopted: NSObject, URLSessionTaskDelegate {}

/// A subclass in another file conforms to this package's protocol. Proof of sendability: it has no state.
class ForeignBase: NSObject, URLSessionTaskDelegate, @unchecked Sendable {}
