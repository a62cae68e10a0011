// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
    import Dispatch
    import Foundation
    import PKIX
    import ServerTrust

    /// The result of an evaluation. Only ``proceed`` and ``unspecified`` permit the connection.
    public enum SecTrustResultType: UInt32, Sendable {
        /// Not a result of an evaluation: a value to initialize a variable with.
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
        /// A result of old versions of macOS, which no evaluation here has. It equals ``proceed``, so that code that accepts it accepts
        /// no other result by it: neither a refusal, nor ``invalid`` in a variable that no evaluation has set.
        @available(*, deprecated, message: "No evaluation has this result.")
        public static var confirm: SecTrustResultType { .proceed }
    }

    /// The function that is called with the result of ``SecTrustEvaluateAsync(_:_:_:)``.
    public typealias SecTrustCallback = (SecTrust, SecTrustResultType) -> Void
    /// The function that is called with the result of ``SecTrustEvaluateAsyncWithError(_:_:_:)``.
    public typealias SecTrustWithErrorCallback = (SecTrust, Bool, CFError?) -> Void

    /// Evaluates on this thread, without network.
    ///
    /// Evaluates the trust object alone. The rules of the client that a challenge comes from are evaluated as well, after the delegate has
    /// answered.
    /// - Parameters:
    ///   - trust: the trust object.
    ///   - error: set to the reason of a refusal: its code is an OSStatus, and `NSUnderlyingErrorKey` has the headline of the
    ///     verdict where Apple's order names another failure.
    /// - Returns: whether the certificates are trusted.
    public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
        let verdict = trust.evaluate()
        error?.pointee = verdict.isTrusted ? nil : .refusal(verdict)
        return verdict.isTrusted
    }

    /// Evaluates on this thread, without network, and stores the result.
    /// - Returns: `errSecSuccess` for every result: it is no permission.
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
    ///   - queue: nil for a queue of the system.
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

    /// Proof of sendability: called once, on the queue that the caller named for it.
    private struct Completion: @unchecked Sendable {
        let call: (TrustVerdict) -> Void
    }

    /// Stores the result of the last evaluation. Evaluates first, without network, if there was none since the last change.
    /// - Returns: `errSecSuccess`.
    @discardableResult
    public func SecTrustGetTrustResult(
        _ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>
    ) -> OSStatus {
        result.pointee = SecTrustResultType(trust.lastVerdict.result)
        return errSecSuccess
    }
#endif
