// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustFailure.Code {
    /// The operating system refused the certificates for a reason that no exception of this package covers. If the same
    /// refusal has a more specific failure, that failure comes first.
    package static let systemRefused = Self(
        "systemRefused", rank: 10, severity: .fatal,
        message: "{subject} was refused by the operating system: {found}",
        explanation:
            "The system's own evaluator doesn't trust the certificates. Either they violate one of its rules (the length of a certificate's validity, Certificate Transparency, a blocked CA), or a trust setting on this machine refuses them.",
        source:
            "SecTrustEvaluateWithError; Apple's requirements for trusted certificates (HT210176, HT211025, HT205280)")

    /// The operating system should have evaluated, but returned no usable response.
    package static let systemEvaluationUnavailable = Self(
        "systemEvaluationUnavailable", rank: 9, severity: .undecided,
        message: "the operating system can't evaluate {subject}: {found}",
        explanation:
            "The system's evaluator couldn't be called, or the evaluation needs a setting that it doesn't support. Request the package's own engine, which supports every setting.",
        source: "configuration of the caller; Security framework")

    /// The codes of evaluation by the operating system.
    static let system: [TrustFailure.Code] = [.systemRefused, .systemEvaluationUnavailable]
}
