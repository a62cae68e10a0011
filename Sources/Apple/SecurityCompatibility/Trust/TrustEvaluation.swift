// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Dispatch
import Foundation
import PKIX
import ServerTrust

/// The result of an evaluation. Only ``proceed`` and ``unspecified`` permit the connection.
public enum SecTrustResultType: UInt32, Sendable {
    /// A value to initialize a variable with. No evaluation returns it.
    case invalid = 0
    /// Trusted, because exceptions cover the failures.
    case proceed = 1
    /// Denied by a rule.
    case deny = 3
    /// Trusted: the usual result.
    case unspecified = 4
    /// Not trusted, for failures that exceptions may cover.
    case recoverableTrustFailure = 5
    /// Not trusted, for failures that no exception covers.
    case fatalTrustFailure = 6
    /// No decision was reached.
    case otherError = 7

    init(_ result: TrustResultType) {
        self =
            switch result {
            case .proceed: .proceed
            case .unspecified: .unspecified
            case .deny: .deny
            case .recoverableFailure: .recoverableTrustFailure
            case .fatalFailure: .fatalTrustFailure
            case .otherError: .otherError
            }
    }
}

extension SecTrustResultType {
    /// A result of old macOS versions that no evaluation here returns. It equals ``proceed``. Code that accepts it
    /// therefore accepts no other result: neither a refusal, nor ``invalid`` in a variable that no evaluation has
    /// set.
    @available(*, deprecated, message: "No evaluation returns this result.")
    public static var confirm: SecTrustResultType { .proceed }
}

/// The function that ``SecTrustEvaluateAsync(_:_:_:)`` calls with its result.
public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
/// The function that ``SecTrustEvaluateAsyncWithError(_:_:_:)`` calls with its result.
public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

/// Evaluates on this thread, without network.
///
/// The function evaluates only the trust object. In a challenge, the client also evaluates its own rules after the
/// delegate has answered.
/// - Parameters:
///   - trust: the trust object.
///   - error: set to the reason for a refusal. Its code is an OSStatus. If Apple's order names another failure than
///     the verdict's headline, `NSUnderlyingErrorKey` has the headline.
/// - Returns: whether the certificates are trusted.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let verdict = trust.evaluate()
    error?.pointee = verdict.isTrusted ? nil : .refusal(verdict)
    return verdict.isTrusted
}

/// Evaluates on this thread, without network, and stores the result.
/// - Returns: `errSecSuccess` for every result. It doesn't permit the connection.
@available(*, deprecated, message: "use SecTrustEvaluateWithError")
@discardableResult
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = SecTrustResultType(trust.evaluate().result)
    return errSecSuccess
}

/// Evaluates on another thread, with network if allowed, and calls `result` on `queue`.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustEvaluateAsyncWithError(
    _ trust: SecTrust, _ queue: DispatchQueue, _ result: @escaping SecTrustWithErrorCallback
) -> OSStatus {
    evaluate(trust, queue) { result(trust, $0.isTrusted, $0.isTrusted ? nil : .refusal($0)) }
    return errSecSuccess
}

/// Evaluates on another thread, with network if allowed, and calls `result` on `queue`.
/// - Parameters:
///   - trust: the trust object.
///   - queue: the queue, or nil for one of the system's.
///   - result: the function to call.
/// - Returns: `errSecSuccess`.
@available(*, deprecated, message: "use SecTrustEvaluateAsyncWithError")
@discardableResult
public func SecTrustEvaluateAsync(
    _ trust: SecTrust, _ queue: DispatchQueue?, _ result: @escaping SecTrustCallback
) -> OSStatus {
    evaluate(trust, queue ?? .global()) { result(trust, SecTrustResultType($0.result)) }
    return errSecSuccess
}

private func evaluate(_ trust: SecTrust, _ queue: DispatchQueue, _ completion: @escaping (TrustVerdict) -> Void) {
    let completion = Completion(call: completion)
    Task.detached {
        let verdict = await trust.evaluateFetching()
        queue.async { completion.call(verdict) }
    }
}

/// Safe to send, because it is called once, on the queue that the caller chose.
private struct Completion: @unchecked Sendable {
    let call: (TrustVerdict) -> Void
}

/// Stores the result of the last evaluation. If nothing was evaluated since the last change, evaluates first,
/// without network.
/// - Returns: `errSecSuccess`.
@discardableResult
public func SecTrustGetTrustResult(
    _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
) -> OSStatus {
    result.pointee = SecTrustResultType(trust.lastVerdict.result)
    return errSecSuccess
}
#endif
