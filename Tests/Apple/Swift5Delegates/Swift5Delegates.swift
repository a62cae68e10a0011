// SPDX-License-Identifier: Apache-2.0

// Delegates that are compiled in Swift 5 language mode.
import Foundation
import FoundationNetworking
import ServerTrust
import ServerTrustURLSession

package final class Swift5Async: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

package final class Swift5TaskAsync: NSObject, URLSessionDataDelegate {
    private let forms: AskedForms
    package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("task async", challenge) }
}

package final class Swift5Completion: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = forms.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }
}

/// Both forms of the session-level method.
package final class Swift5Both: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = forms.answer("session completion", challenge)
        completionHandler(disposition, credential)
    }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

package final class Swift5Neither: NSObject, URLSessionDataDelegate {}

package final class Swift5Generic<Value>: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

@MainActor
package final class Swift5MainActor: NSObject, URLSessionDelegate {
    private let forms: AskedForms
    nonisolated package init(_ forms: AskedForms) { self.forms = forms }

    package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}

package final class Swift5Subclass: ServerTrustSessionDelegate, @unchecked Sendable {
    private let forms: AskedForms
    package init(_ manager: ServerTrustManager, _ forms: AskedForms) {
        self.forms = forms
        super.init(manager)
    }

    override package func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { forms.answer("session async", challenge) }
}
