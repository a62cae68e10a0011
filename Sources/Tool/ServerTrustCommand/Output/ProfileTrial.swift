// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// A second evaluation under the plain profile, for a chain that the public web's profile refuses.
enum ProfileTrial {
    /// The codes that may disappear under the plain profile for the same chain. The plain profile also accepts a leaf
    /// whose key can't be used, but the handshake fails.
    private static let relaxed: Set<TrustFailure.Code> = [
        .certificateVersionNotAllowed, .signatureParametersUnsupported, .keyUsageNotForTLS, .strictEncoding,
    ]

    /// Returns the plain profile if it trusts the chain.
    ///
    /// It evaluates only if the profile relaxes the rule behind every failure. It uses the usual budget and no network.
    /// A wrong signature, a revoked certificate or a failed pin therefore never leads to this suggestion.
    static func profile(
        after verdict: TrustVerdict, evaluating evaluate: (ValidationPolicy.Profile) -> TrustVerdict?
    ) -> ValidationPolicy.Profile? {
        guard !verdict.failures.isEmpty, verdict.profile == .webPKI,
            verdict.failures.allSatisfy({ relaxed.contains($0.code) })
        else { return nil }
        return evaluate(.rfc5280)?.isTrusted == true ? .rfc5280 : nil
    }
}
