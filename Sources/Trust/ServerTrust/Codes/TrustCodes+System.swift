// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustFailure.Code {
    /// The operating system refused the certificates for a reason that no exception of this package covers. If the same
    /// refusal has a more specific failure, that failure comes first.
    package static let systemRefused = Self(
        "systemRefused", rank: 10, severity: .fatal,
        message: "{subject} was refused by the operating system: {found}")

    /// The operating system should have evaluated, but returned no usable response.
    package static let systemEvaluationUnavailable = Self(
        "systemEvaluationUnavailable", rank: 9, severity: .undecided,
        message: "the operating system can't evaluate {subject}: {found}")

    /// The codes of evaluation by the operating system.
    static let system: [TrustFailure.Code] = [.systemRefused, .systemEvaluationUnavailable]
}
