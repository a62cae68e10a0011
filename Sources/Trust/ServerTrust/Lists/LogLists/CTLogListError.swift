// SPDX-License-Identifier: Apache-2.0

import PKIX

/// An error in a list of logs. A list with an error is never used, not even in part.
public struct CTLogListError: TrustError, Hashable {
    public let code: ErrorCode
    /// The problem, with the expected form.
    public let message: String

    init(_ message: String, code: ErrorCode = .logListInvalid) {
        self.code = code
        self.message = message
    }
}

extension ErrorCode {
    /// A list of logs isn't version 3 in JSON, or has an invalid part.
    static let logListInvalid = ErrorCode("logListInvalid")
    /// The signature of a list of logs doesn't match the publisher's key.
    public static let logListSignatureInvalid = ErrorCode("logListSignatureInvalid")
    /// A list of logs has a date in the future.
    static let logListFromFuture = ErrorCode("logListFromFuture")
}
