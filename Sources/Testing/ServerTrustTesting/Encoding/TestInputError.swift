// SPDX-License-Identifier: Apache-2.0

#if Testing || Everything

import PKIX

/// The error for a value that can't be encoded at all. A value that can be encoded but that a standard forbids doesn't
/// cause this error.
public struct TestInputError: TrustError, Hashable {
    /// The value as a string. Empty for bytes.
    public let text: String
    /// A human-readable description of the expected form. Its wording may change.
    public let expected: String

    /// `ErrorCode.testInputUnusable`.
    public var code: ErrorCode { .testInputUnusable }

    public var message: String { "\"\(text)\" is not \(expected)" }
}

extension ErrorCode {
    /// The value can't become a test authority, certificate, CRL or OCSP response.
    static let testInputUnusable = ErrorCode("testInputUnusable")
}

#endif
