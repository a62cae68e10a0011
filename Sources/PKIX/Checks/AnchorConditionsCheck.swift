// SPDX-License-Identifier: Apache-2.0

/// The conditions of a root program on the path's anchor: the leaf's date of issuance, its names and its purpose.
///
/// Doubt refuses: a date that can't be found, a name of a form that the condition doesn't know, constraints that can't be decided.
enum AnchorConditionsCheck {
    /// Checks a path.
    /// - Returns: the limits on dates of the alternative that is met; empty where none is, or it has no limit.
    static func run(
        _ path: CandidatePath, _ conditions: AnchorConditions, _ context: EvaluationContext, _ meter: inout WorkMeter,
        _ list: inout FailureList
    ) -> [IssuanceDecision] {
        list.certificate = path.anchorIndex
        list.role = path.role(path.anchorIndex)
        guard !conditions.distrust(for: context.policy.purpose) else {
            // ``DistrustCheck`` reports the certificate by the whole list; a store that was copied may have lost it.
            let isReported = list.failures.contains {
                $0.code == .certificateDenied && $0.certificate == path.anchorIndex
            }
            if !isReported {
                let reason = DistrustedCertificates.reason(conditions.source, "the conditions of the anchor")
                list.add(.certificateDenied, found: .text(reason))
            }
            return []
        }
        guard conditions.isListed else {
            list.add(.anchorNotInProgram, expected: .text(conditions.source))
            return []
        }
        var best: Finding?
        for constraints in conditions.alternatives.prefix(maximumAlternatives) {
            let finding = check(path, constraints, context, &meter)
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

    /// The maximum number of alternatives that are tried; Chrome's lists have at most two.
    private static let maximumAlternatives = 16

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
        _ path: CandidatePath, _ constraints: AnchorConstraints, _ context: EvaluationContext, _ meter: inout WorkMeter
    ) -> Finding {
        var finding = Finding()
        if constraints.isUndecidable {
            finding.failures.append(
                Failure(.anchorPurposeNotPermitted, .text("constraints that are known here"), .text("others")))
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
        if constraints.permittedDomains != nil || !constraints.excludedDomains.isEmpty,
            let wrong = ConditionNames(constraints).firstViolation(of: path.certificates[0], &meter)
        {
            finding.failures.append(
                Failure(
                    .anchorNameNotPermitted,
                    .list(constraints.permittedDomains ?? constraints.excludedDomains.map { "not \($0)" }),
                    .text(wrong)))
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
        // The earliest of them decides both questions: whether one isn't after the date, and whether all are.
        let earliest = timestamps.min()
        return IssuanceDecision(
            limit: limit, date: earliest, clock: .timestamps, isStandIn: false, isMet: earliest.map(isMet) ?? false)
    }
}

// MARK: - Names

/// The domains of a condition, in lower case.
private struct ConditionNames {
    private let permitted: [[UInt8]]?
    private let excluded: [[UInt8]]

    init(_ constraints: AnchorConstraints) {
        permitted = constraints.permittedDomains.map { $0.map(Self.folded) }
        excluded = constraints.excludedDomains.map(Self.folded)
    }

    private static func folded(_ domain: String) -> [UInt8] {
        Array(domain.utf8.drop { $0 == UInt8(ascii: ".") }).map(lowercased)
    }

    /// Returns the first alternative name of the leaf that isn't permitted; nil if all are. A leaf without a name isn't permitted.
    func firstViolation(of leaf: Certificate, _ meter: inout WorkMeter) -> String? {
        let names = leaf.storage.fields.extensions.value(.subjectAlternativeName)
        guard names.isPresent else { return permitted == nil ? nil : "no name" }
        var outer = DERReader(leaf.span, names)
        guard let sequence = try? outer.next(DERTag.sequence, "subjectAltName"), sequence.contentCount > 0 else {
            return permitted == nil ? nil : "no name"
        }
        var reader = outer.inside(sequence)
        while !reader.isAtEnd {
            guard let name = try? reader.next("subjectAltName"),
                meter.charge(work: (name.contentCount + 1) * ((permitted?.count ?? 0) + excluded.count))
            else { return "?" }
            guard isPermitted(leaf.span, name) else { return leaf.shortName(name) }
        }
        return nil
    }

    private func isPermitted(_ bytes: Span<UInt8>, _ name: DERElement) -> Bool {
        guard name.tag == GeneralNameTag.dnsName else { return permitted == nil }
        // A wildcard stands for names below its domain, and for no other.
        let start = matches(bytes, name.content, [0x2a, 0x2e]) ? name.content + 2 : name.content
        let range = ByteRange(start, name.end)
        if let permitted, !permitted.contains(where: { isBelow(bytes, range, $0, isExcluding: false) }) { return false }
        return !excluded.contains { domain in
            // A wildcard above an excluded domain may stand for it: *.example.org for a.example.org.
            isBelow(bytes, range, domain, isExcluding: true)
                || start != name.content && domainIsBelow(domain, bytes, range)
        }
    }

    /// Whether a DNS name is `domain` or ends in a label boundary before it.
    private func isBelow(_ bytes: Span<UInt8>, _ name: ByteRange, _ domain: [UInt8], isExcluding: Bool) -> Bool {
        // The empty domain is the root: it permits none, as a mistake in a list is more likely, and excludes all.
        guard !domain.isEmpty else { return isExcluding }
        guard name.count >= domain.count else { return false }
        let offset = name.end - domain.count
        for index in domain.indices where lowercased(bytes[offset + index]) != domain[index] { return false }
        return offset == name.start || bytes[offset - 1] == UInt8(ascii: ".")
    }

    private func domainIsBelow(_ domain: [UInt8], _ bytes: Span<UInt8>, _ name: ByteRange) -> Bool {
        guard domain.count > name.count else { return false }
        let offset = domain.count - name.count
        for index in 0..<name.count where lowercased(bytes[name.start + index]) != domain[offset + index] {
            return false
        }
        return domain[offset - 1] == UInt8(ascii: ".")
    }
}

private func lowercased(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte }
