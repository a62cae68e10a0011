// SPDX-License-Identifier: Apache-2.0

import PKIX

extension TrustVerdict {
    /// Returns the combined verdict, which is trusted only if both verdicts are.
    func combined(with other: TrustVerdict) -> TrustVerdict {
        switch (isTrusted, other.isTrusted) {
        case (false, false):
            var both = self
            both.failures += other.failures.filter { !failures.contains($0) }
            both.failures.sort(by: TrustFailure.comesFirst)
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

extension TransparencyFinding {
    /// Returns the finding of two checks that both have to pass. A failure wins over a success, and a success over a
    /// finding without a check.
    static func stricter(_ first: TransparencyFinding?, _ second: TransparencyFinding?) -> TransparencyFinding? {
        guard let first, let second else { return first ?? second }
        return first.rank >= second.rank ? first : second
    }

    private var rank: Int {
        switch status {
        case .notEnough, .notDiverse, .noneInUse, .noRFC6962Log: 2
        case .complies: 1
        case .listOutOfDate, .noLogList, .anchorNotPublic, .hostExempt: 0
        }
    }
}

extension AnchorFinding {
    /// Returns the finding of two evaluations with the same path. They may use different clocks. The finding with more
    /// limits that timestamps decided is stricter.
    fileprivate static func stricter(_ first: AnchorFinding?, _ second: AnchorFinding?) -> AnchorFinding? {
        guard let first, let second else { return first ?? second }
        return first.timestampCount >= second.timestampCount ? first : second
    }

    private var timestampCount: Int { limits.count { $0.clock == .timestamps } }
}

extension StapleFinding {
    /// Returns the finding of two evaluations of the same handshake. A verified revocation comes first, and a claim that
    /// one of them hasn't verified isn't verified.
    static func stricter(_ first: StapleFinding?, _ second: StapleFinding?) -> StapleFinding? {
        guard let first, let second else { return first ?? second }
        return first.rank >= second.rank ? first : second
    }

    private var rank: Int { isVerified ? claim == .revoked ? 2 : 0 : 1 }
}
