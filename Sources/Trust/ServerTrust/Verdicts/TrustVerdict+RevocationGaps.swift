// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// The verdict without its gaps and their warnings.
    var withoutRevocationGaps: TrustVerdict {
        var verdict = self
        verdict.revocationGaps = []
        verdict.warnings.removeAll(where: RevocationGap.isWarning)
        return verdict
    }

    /// Returns the verdict with gaps, and one warning for each kind of gap.
    func noting(_ gaps: [(gap: RevocationGap, certificate: Int)], sentIn chain: PresentedChain) -> TrustVerdict {
        var verdict = self
        for gap in RevocationGap.allCases {
            let certificates = gaps.filter { $0.gap == gap && path.indices.contains($0.certificate) }.map {
                chain.reference(to: path[$0.certificate], role(at: $0.certificate))
            }
            guard !certificates.isEmpty else { continue }
            if !verdict.revocationGaps.contains(gap) { verdict.revocationGaps.append(gap) }
            verdict.warnings.append(gap.warning(about: certificates))
        }
        return verdict
    }
}
