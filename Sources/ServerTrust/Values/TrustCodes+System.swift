// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustFailure.Code {
    /// The operating system refused, for a reason that an exception of this package can't cover. Any more precise failure of
    /// the same refusal stands before it.
    public static let systemRefused = Self(
        "systemRefused", rank: 10, severity: .fatal,
        message: "{subject} was refused by the operating system: {found}",
        explanation:
            "The system's own evaluator does not trust the certificates: for a rule of its own (how long a certificate may be valid, certificate transparency, a CA it has blocked), or because somebody set it so on this machine.",
        source:
            "SecTrustEvaluateWithError; Apple's requirements for trusted certificates (HT210176, HT211025, HT205280)")

    /// The operating system was to evaluate and gave no usable answer.
    public static let systemEvaluationUnavailable = Self(
        "systemEvaluationUnavailable", rank: 9, severity: .undecided,
        message: "{subject} can not be evaluated by the operating system: {found}",
        explanation:
            "The system's evaluator could not be asked, or was asked for something it can not do. What it can not do, the package's own engine can: ask for that one by name.",
        source: "configuration of the caller; Security framework")

    /// Those of a system that evaluates.
    static let system: [TrustFailure.Code] = [.systemRefused, .systemEvaluationUnavailable]
}
