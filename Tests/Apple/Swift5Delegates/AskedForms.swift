// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationNetworking
import PKIX

/// A test delegate's answer, and the methods that were called, in order.
package final class AskedForms: Sendable {
    package typealias Answer = (URLSession.AuthChallengeDisposition, URLCredential?)

    private let answer: URLSession.AuthChallengeDisposition
    private let credential: URLCredential?
    private let asked = Locked<[String]>([])

    package init(_ answer: URLSession.AuthChallengeDisposition, _ credential: URLCredential? = nil) {
        self.answer = answer
        self.credential = credential
    }

    package var all: [String] { asked.withLock { $0 } }

    /// Records a call of a method and reads the challenge, as a method that decides would.
    package func answer(_ form: String, _ challenge: URLAuthenticationChallenge) -> Answer {
        _ = challenge.protectionSpace.authenticationMethod
        asked.withLock { $0.append(form) }
        return (answer, credential)
    }
}
