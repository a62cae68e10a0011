// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import PKIX

    /// A copy of a challenge that records whether it was read: for a delegate whose class may lack the method.
    ///
    /// Foundation's protocols on Linux have default implementations, so that a missing method can't be seen. The one of a challenge answers
    /// default handling at once and reads nothing; a method that decides reads the protection space first.
    final class RecordingChallenge: URLAuthenticationChallenge, @unchecked Sendable {
        // Proof of sendability: constant but for the flag, which is locked.
        private let original: URLAuthenticationChallenge
        private let isRead = Locked(false)

        /// Whether a property was read.
        var wasRead: Bool { isRead.withLock { $0 } }

        /// - Parameter original: a challenge with a sender.
        init(_ original: URLAuthenticationChallenge) {
            self.original = original
            super.init(
                protectionSpace: original.protectionSpace, proposedCredential: original.proposedCredential,
                previousFailureCount: original.previousFailureCount, failureResponse: original.failureResponse,
                error: original.error, sender: original.sender ?? InertChallengeSender())
        }

        private func reading<Value>(_ value: Value) -> Value {
            isRead.withLock { $0 = true }
            return value
        }

        override var protectionSpace: URLProtectionSpace { reading(original.protectionSpace) }
        override var proposedCredential: URLCredential? { reading(original.proposedCredential) }
        override var previousFailureCount: Int { reading(original.previousFailureCount) }
        override var failureResponse: URLResponse? { reading(original.failureResponse) }
        override var error: (any Error)? { reading(original.error) }
        override var sender: (any URLAuthenticationChallengeSender)? { reading(original.sender) }
        override var description: String { reading(original.description) }
        override var debugDescription: String { reading(original.debugDescription) }
    }
#endif
