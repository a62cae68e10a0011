// SPDX-License-Identifier: Apache-2.0

/// Checks a root program's conditions on the path's anchor: the leaf's date of issuance, its names and its purpose.
///
/// If in doubt, the check rejects the path: an unknown date, a name form that the condition doesn't know, or
/// constraints that can't be evaluated.
enum AnchorConditionsCheck {
    /// Checks a path.
    /// - Parameter domains: the domains of each alternative of the conditions. An element is nil if the alternative has
    ///   no domains.
    /// - Returns: the date limits of the alternative that the path meets. Empty if it meets none, or if the alternative
    ///   has no limits.
    static func run(
        _ path: CandidatePath, _ conditions: AnchorConditions, _ domains: [ConditionDomains?],
        _ context: EvaluationContext, _ meter: inout WorkMeter, _ list: inout FailureList
    ) -> [IssuanceDecision] {
        list.certificate = path.anchorIndex
        list.role = path.role(path.anchorIndex)
        guard !conditions.distrust(for: context.policy.purpose) else {
            // If the root program's complete list distrusts the certificate, ``DistrustCheck`` has reported it. A
            // copied store may have lost that list.
            let isReported = list.failures.contains {
                $0.code == .certificateDenied && $0.certificate == path.anchorIndex
            }
            if !isReported {
                let entry = TrustFailure.DeniedEntry.certificate(
                    sha256: path.certificates[path.anchorIndex].sha256,
                    reason: DistrustedCertificates.reason(conditions.source))
                list.add(.certificateDenied, found: entry.value)
            }
            return []
        }
        guard conditions.isListed else {
            list.add(.anchorNotInProgram, expected: .text(conditions.source))
            return []
        }
        var best: Finding?
        for (constraints, domains) in zip(conditions.alternatives, domains) {
            let finding = check(path, constraints, domains, context, &meter)
            if finding.failures.isEmpty { return finding.decisions }
            guard let other = best, other.failures.count <= finding.failures.count else {
                best = finding
                continue
            }
        }
        let failures =
            best?.failures ?? [Failure(.anchorPurposeNotPermitted, .text(conditions.source), .text("no constraints"))]
        for failure in failures { list.add(failure.code, expected: failure.expected, found: failure.found) }
        return []
    }

    private struct Failure {
        let code: TrustFailure.Code
        let expected: TrustFailure.Value
        let found: TrustFailure.Value

        init(_ code: TrustFailure.Code, _ expected: TrustFailure.Value, _ found: TrustFailure.Value) {
            self.code = code
            self.expected = expected
            self.found = found
        }
    }

    private struct Finding {
        var failures: [Failure] = []
        var decisions: [IssuanceDecision] = []
    }

    private static func check(
        _ path: CandidatePath, _ constraints: AnchorConstraints, _ domains: ConditionDomains?,
        _ context: EvaluationContext, _ meter: inout WorkMeter
    ) -> Finding {
        var finding = Finding()
        if constraints.isUndecidable {
            finding.failures.append(
                Failure(.anchorPurposeNotPermitted, .text("supported constraints"), .text("unsupported constraints")))
        }
        if let purposes = constraints.purposes, !purposes.contains(context.policy.purpose) {
            finding.failures.append(
                Failure(
                    .anchorPurposeNotPermitted, .list(purposes.map(\.rawValue).sorted()),
                    .text(context.policy.purpose.rawValue)))
        }
        for limit in constraints.dates {
            let decision = decide(limit, path, context)
            finding.decisions.append(decision)
            if !decision.isMet { finding.failures.append(failure(decision)) }
        }
        if let domains, let wrong = domains.firstViolation(of: path.certificates[0], &meter) {
            finding.failures.append(Failure(.anchorNameNotPermitted, domains.expected, .text(wrong)))
        }
        return finding
    }

    private static func failure(_ decision: IssuanceDecision) -> Failure {
        let side = decision.limit.side == .notAfter ? "until" : "after"
        let date = decision.date.map { "\($0) by \(decision.clock == .notBefore ? "notBefore" : "its timestamps")" }
        return Failure(
            .anchorDistrustedAfter, .text("\(side) \(decision.limit.date)"), .text(date ?? "without a valid timestamp"))
    }
}

// MARK: - Dates

extension AnchorConditionsCheck {
    /// Compares the leaf's date of issuance with a limit.
    private static func decide(
        _ limit: IssuanceLimit, _ path: CandidatePath, _ context: EvaluationContext
    ) -> IssuanceDecision {
        let leaf = path.certificates[0]
        let notBefore = leaf.notBefore
        func isMet(_ date: Time) -> Bool { limit.side == .notAfter ? date <= limit.date : date > limit.date }
        func byNotBefore(isStandIn: Bool) -> IssuanceDecision {
            IssuanceDecision(
                limit: limit, date: notBefore, clock: .notBefore, isStandIn: isStandIn, isMet: isMet(notBefore))
        }
        guard limit.clock != .notBefore else { return byNotBefore(isStandIn: false) }
        let issuer = path.certificates.count > 1 ? path.certificates[1] : leaf
        guard let timestamps = context.timestamps?(issuer) else {
            return byNotBefore(isStandIn: true)
        }
        if limit.clock == .notBeforeOrTimestamp {
            guard let earliest = timestamps.min(), earliest > notBefore else { return byNotBefore(isStandIn: false) }
            return IssuanceDecision(
                limit: limit, date: earliest, clock: .timestamps, isStandIn: false, isMet: isMet(earliest))
        }
        // The earliest timestamp answers both questions: whether at least one isn't after the date, and whether all are
        // after it.
        let earliest = timestamps.min()
        return IssuanceDecision(
            limit: limit, date: earliest, clock: .timestamps, isStandIn: false, isMet: earliest.map(isMet) ?? false)
    }
}
