// SPDX-License-Identifier: Apache-2.0

import PKIX

extension MatchedPin {
    /// Returns `sha256/… matches the certificate sent as number 2 (intermediate)`.
    package func words(on verdict: TrustVerdict, sentIn chain: PresentedChain) -> String {
        guard verdict.path.indices.contains(certificate) else { return "\(pin) matches the path" }
        return "\(pin) matches the "
            + chain.reference(to: verdict.path[certificate], verdict.role(at: certificate))
    }
}
