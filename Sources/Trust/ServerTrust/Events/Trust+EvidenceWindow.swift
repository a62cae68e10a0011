// SPDX-License-Identifier: Apache-2.0

import PKIX

extension Trust {
    /// Returns the seconds around a time in which no piece of evidence becomes valid or expires, on any path.
    package func evidenceWindow(around time: Time) -> (from: Time?, until: Time?) {
        let staple: [UInt8]? = if case .given(let der) = presentedChain.staple { der } else { nil }
        return RevocationEvaluation(
            settings.revocation, staple: staple, settings.revocationData,
            certificates: presentedChain.others + settings.intermediates, at: time, memory: settings.signatureMemory
        ).evidenceWindow
    }
}
