// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error for a value that can't be encoded at all, as opposed to one that is merely forbidden.
public struct TestInputError: TrustError, Hashable {
    /// The value as text; empty for bytes.
    public let text: String
    /// The expected form, for people; the wording may change.
    public let expected: String

    package init(text: String, expected: String) {
        self.text = text
        self.expected = expected
    }

    /// `ErrorCode.testInputUnusable`.
    public var code: ErrorCode { .testInputUnusable }

    public var message: String { "\"\(text)\" is not \(expected)" }
}

extension ErrorCode {
    /// A test authority, certificate, CRL or OCSP response can't be made of the value.
    package static let testInputUnusable = ErrorCode("testInputUnusable")
}
