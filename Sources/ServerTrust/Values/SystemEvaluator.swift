// SPDX-License-Identifier: Apache-2.0

import PKIX

/// Builds and validates paths with the operating system's own means, and knows the chain in question.
package protocol SystemEvaluator: Sendable {
    /// May block, and may use the network.
    func evaluate(_ question: SystemQuestion) -> SystemAnswer
}

/// What the system is asked: whether the chain is one of a TLS server.
package struct SystemQuestion: Sendable, Hashable {
    /// The name that the leaf has to be valid for; nil if any will do.
    package let name: Hostname?
    /// The date to evaluate for.
    package let date: Time
    package let revocation: RevocationCheck
}

/// What the system says.
package enum SystemAnswer: Sendable, Hashable {
    case trusted(SystemFinding)
    /// - Parameter status: the OSStatus of its error.
    case refused(SystemFinding, status: Int32)
    /// It couldn't be asked; the text says what went wrong.
    case unavailable(String)
}

/// What the system tells beside yes and no.
package struct SystemFinding: Sendable, Hashable {
    /// The number of the `SecTrustResultType`.
    package let resultType: UInt32
    /// DER, leaf first: the path that was validated, or how far the best candidate came.
    package let path: [[UInt8]]
    /// What the system alone knows to have been checked, with a good result.
    package let checked: [TrustCheck]

    package init(resultType: UInt32, path: [[UInt8]], checked: [TrustCheck] = []) {
        self.resultType = resultType
        self.path = path
        self.checked = checked
    }

    /// `otherError` for a number that isn't known, and for "not evaluated".
    package var result: TrustResultType { TrustResultType(secTrustResultType: resultType) }
}

extension TrustResultType {
    /// The result with the number of a `SecTrustResultType` (`SecTrust.h`); ``otherError`` for `invalid` (0), for the
    /// `confirm` (2) of old systems, and for numbers to come.
    package init(secTrustResultType number: UInt32) {
        self =
            switch number {
            case 1: .proceed
            case 3: .deny
            case 4: .unspecified
            case 5: .recoverableFailure
            case 6: .fatalFailure
            default: .otherError
            }
    }
}
