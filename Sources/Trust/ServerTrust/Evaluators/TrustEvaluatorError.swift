// SPDX-License-Identifier: Apache-2.0

import PKIX

/// The error thrown if you create an evaluator with an empty list, so that it would accept everything or nothing.
public struct TrustEvaluatorError: TrustError, Hashable {
    /// `PKIX.ErrorCode.evaluatorKeysMissing`, `PKIX.ErrorCode.evaluatorCertificatesMissing` or
    /// `PKIX.ErrorCode.evaluatorMembersMissing`.
    public let code: ErrorCode

    init(_ code: ErrorCode) { self.code = code }

    public var message: String {
        switch code {
        case .evaluatorKeysMissing: "no key to pin, expected at least one"
        case .evaluatorCertificatesMissing: "no certificate to require, expected at least one"
        default: "no evaluator, expected at least one: an empty composite would require nothing"
        }
    }
}

extension ErrorCode {
    /// The list of keys to pin is empty.
    static let evaluatorKeysMissing = ErrorCode("evaluatorKeysMissing")
    /// The list of certificates to pin, or of CAs to require, is empty.
    static let evaluatorCertificatesMissing = ErrorCode("evaluatorCertificatesMissing")
    /// The list of a composite's evaluators is empty.
    static let evaluatorMembersMissing = ErrorCode("evaluatorMembersMissing")
}
