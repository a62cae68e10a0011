// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationNetworking) && (HTTP || Everything)
import Foundation
import FoundationNetworking
import PKIX
import SessionDelegates

/// A copy of a challenge that records whether a delegate read it, and which forms of the method the delegate has.
///
/// The default implementations of this package's protocols record that a method is missing. If a method with a
/// completion handler answers default handling at once and reads nothing, it doesn't decide anything. A method that
/// decides reads the protection space first.
final class RecordingChallenge: URLAuthenticationChallenge, ObservedChallenge, @unchecked Sendable {
    // Proof of sendability: constant but for the flags, which are locked.
    private struct Flags {
        var isRead = false
        var isAskedAsAsync = false
        var isMethodMissing = false
    }
    private let original: URLAuthenticationChallenge
    private let flags = Locked(Flags())
    let isRepeated: Bool

    /// Whether a property was read.
    var wasRead: Bool { flags.withLock { $0.isRead } }
    /// Whether the `async` form of the method was called instead of the form with a completion handler.
    var wasAskedAsAsync: Bool { flags.withLock { $0.isAskedAsAsync } }
    /// Whether the `async` form of the method was called but is missing.
    var isMethodMissing: Bool { flags.withLock { $0.isMethodMissing } }

    /// - Parameters:
    ///   - original: a challenge with a sender.
    ///   - isRepeated: whether the delegate has already answered this challenge with a completion handler.
    init(_ original: URLAuthenticationChallenge, isRepeated: Bool = false) {
        self.original = original
        self.isRepeated = isRepeated
        super.init(
            protectionSpace: original.protectionSpace, proposedCredential: original.proposedCredential,
            previousFailureCount: original.previousFailureCount, failureResponse: original.failureResponse,
            error: original.error, sender: original.sender ?? InertChallengeSender())
    }

    private func reading<Value>(_ value: Value) -> Value {
        flags.withLock { $0.isRead = true }
        return value
    }

    func recordAsyncForm() { flags.withLock { $0.isAskedAsAsync = true } }

    func recordMissingMethod() { flags.withLock { $0.isMethodMissing = true } }

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
