// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns the verdict if both verdicts have to be trusted.
    func combined(with other: TrustVerdict) -> TrustVerdict {
        switch (isTrusted, other.isTrusted) {
        case (false, false):
            var both = self
            both.failures += other.failures.filter { !failures.contains($0) }
            both.failures.sort(by: TrustFailure.comesFirst)
            both.result = TrustResultType(failures: both.failures)
            both.rejectedPaths += other.rejectedPaths.filter { !rejectedPaths.contains($0) }
            return both
        case (false, true): return self
        case (true, false): return other
        case (true, true):
            // A check of either verdict counts; but revocation only for the certificates of its own path.
            let hasSamePath = path == other.path
            var both = excused.isEmpty && !other.excused.isEmpty ? other : self
            both.checked += (both == self ? other : self).checked.filter {
                !both.checked.contains($0) && (hasSamePath || $0 != .revocation)
            }
            both.notChecked.removeAll { both.checked.contains($0) }
            both.excused += (excused + other.excused).filter { !both.excused.contains($0) }
            both.referenceName = referenceName ?? other.referenceName
            // A rule without evidence is reported, even if another one had some.
            both.revocationGaps = RevocationGap.allCases.filter {
                revocationGaps.contains($0) || other.revocationGaps.contains($0)
            }
            both.warnings = warnings + other.warnings.filter { !warnings.contains($0) }
            if hasSamePath { both.revocation = RevocationFinding.combined(revocation, other.revocation) }
            both.validFrom = [validFrom, other.validFrom].compactMap { $0 }.max()
            both.validUntil = [validUntil, other.validUntil].compactMap { $0 }.min()
            return both
        }
    }
}
