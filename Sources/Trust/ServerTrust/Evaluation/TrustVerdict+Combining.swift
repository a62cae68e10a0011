// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns the combined verdict, which is trusted only if both verdicts are.
    func combined(with other: TrustVerdict) -> TrustVerdict {
        switch (isTrusted, other.isTrusted) {
        case (false, false):
            var both = self
            both.failures += other.failures.filter { !failures.contains($0) }
            both.failures = both.failures.inReportOrder()
            both.result = TrustResultType(failures: both.failures)
            both.rejectedPaths += other.rejectedPaths.filter { !rejectedPaths.contains($0) }
            both.transparency = TransparencyFinding.stricter(transparency, other.transparency)
            both.staple = StapleFinding.stricter(staple, other.staple)
            return both
        case (false, true): return self
        case (true, false): return other
        case (true, true):
            // A check of either verdict counts. Revocation counts only for the certificates of the verdict's own path.
            let hasSamePath = path == other.path
            var both = excused.isEmpty && !other.excused.isEmpty ? other : self
            both.checked += (both == self ? other : self).checked.filter {
                !both.checked.contains($0) && (hasSamePath || $0 != .revocation)
            }
            both.notChecked.removeAll { both.checked.contains($0) }
            both.excused += (excused + other.excused).filter { !both.excused.contains($0) }
            both.reported += (reported + other.reported).filter { !both.reported.contains($0) }
            both.transparency = TransparencyFinding.stricter(transparency, other.transparency)
            both.staple = StapleFinding.stricter(staple, other.staple)
            if hasSamePath { both.anchor = AnchorFinding.stricter(anchor, other.anchor) }
            both.referenceName = referenceName ?? other.referenceName
            // A gap of one rule is reported even if another rule had evidence.
            both.revocationGaps = RevocationGap.allCases.filter {
                revocationGaps.contains($0) || other.revocationGaps.contains($0)
            }
            both.warnings = warnings + other.warnings.filter { !warnings.contains($0) }
            if hasSamePath { both.revocation = RevocationFinding.combined(revocation, other.revocation) }
            if both.revocation.contains(where: \.isOutOfDate), both.checked.contains(.revocation) {
                both.checked.removeAll { $0 == .revocation }
                both.notChecked.append(.revocation)
            }
            both.unchangedFrom = [unchangedFrom, other.unchangedFrom].compactMap { $0 }.max()
            both.unchangedUntil = [unchangedUntil, other.unchangedUntil].compactMap { $0 }.min()
            return both
        }
    }
}

/// A finding of two evaluations. The one with the higher rank is stricter, and counts.
protocol RankedFinding {
    var rank: Int { get }
}

extension RankedFinding {
    /// Returns the stricter of two findings, or the only one.
    static func stricter(_ first: Self?, _ second: Self?) -> Self? {
        guard let first, let second else { return first ?? second }
        return first.rank >= second.rank ? first : second
    }
}

extension TransparencyFinding: RankedFinding {
    /// Of two checks that both have to pass, a failure wins over a success, and a success over a finding without a
    /// check.
    var rank: Int {
        switch status {
        case .notEnough, .notDiverse, .noneInUse, .noRFC6962Log: 2
        case .complies: 1
        case .listOutOfDate, .noLogList, .anchorNotPublic, .hostExempt: 0
        }
    }
}

extension AnchorFinding: RankedFinding {
    /// Evaluations with the same path may use different clocks. The finding with more limits that timestamps decided is
    /// stricter.
    var rank: Int { limits.count { $0.clock == .timestamps } }
}

extension StapleFinding: RankedFinding {
    /// A verified revocation comes first. A claim that one evaluation hasn't verified isn't verified.
    var rank: Int { isVerified ? claim == .revoked ? 2 : 0 : 1 }
}
