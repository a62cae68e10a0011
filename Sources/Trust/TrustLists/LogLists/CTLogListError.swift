// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error of a list of logs that can't be read. A list with an error is never used in part.
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
    /// A list of logs isn't one of version 3 in JSON, or has a part that can't be read.
    package static let logListInvalid = ErrorCode("logListInvalid")
    /// The signature of a list of logs isn't that of the publisher's key.
    public static let logListSignatureInvalid = ErrorCode("logListSignatureInvalid")
    /// A list of logs has a date in the future.
    package static let logListFromFuture = ErrorCode("logListFromFuture")
}
