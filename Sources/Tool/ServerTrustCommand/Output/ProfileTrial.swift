// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A second evaluation under the plain profile, for a chain that the profile of the public web refuses.
enum ProfileTrial {
    /// The codes that the plain profile may not have for the same chain.
    private static let relaxed: Set<TrustFailure.Code> = [
        .certificateVersionNotAllowed, .signatureParametersUnsupported, .keyAlgorithmUnsupported, .keyMalformed,
        .keyUsageNotForTLS, .strictEncoding,
    ]

    /// Returns the plain profile if it trusts the chain.
    ///
    /// It evaluates only if every failure is of a rule that the profile relaxes, with the budget of any evaluation and without network. A
    /// wrong signature, a revoked certificate or a failed pin therefore never leads to it.
    static func profile(
        after verdict: TrustVerdict, evaluating evaluate: (ValidationPolicy.Profile) -> TrustVerdict?
    ) -> ValidationPolicy.Profile? {
        guard !verdict.failures.isEmpty, verdict.profile == .webPKI,
            verdict.failures.allSatisfy({ relaxed.contains($0.code) })
        else { return nil }
        return evaluate(.rfc5280)?.isTrusted == true ? .rfc5280 : nil
    }
}
