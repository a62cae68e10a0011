// SPDX-License-Identifier: Apache-2.0

import PKIX

extension CTPolicy {
    /// Compares a leaf's timestamps with the policy.
    /// - Parameters:
    ///   - evidence: the verified timestamps.
    ///   - leaf: the certificate.
    ///   - list: the list of logs that verified `evidence`.
    ///   - time: the verify date.
    ///   - ignoringAge: whether to accept a list of any age.
    func finding(
        _ evidence: TimestampEvidence, leaf: Certificate, list: CTLogList, at time: Time, ignoringAge: Bool
    ) -> TransparencyFinding {
        let candidates = candidates(evidence, leaf: leaf, at: time)
        var (outcome, shown) = embeddedOutcome(candidates, requirement(for: leaf))
        if outcome.status != .complies, let other = separateOutcome(candidates),
            other.status == .complies || !candidates.contains(where: \.isEmbedded)
        {
            (outcome, shown) = (other, candidates)
        }
        return TransparencyFinding(
            status: ignoringAge || !isOutOfDate(list, at: time) ? outcome.status : .listOutOfDate, policy: name,
            listDate: list.date, listVersion: list.version,
            count: outcome.count, required: outcome.required, timestamps: shown.map(\.record))
    }

    /// Whether a list is too old at a date. A list that is newer than the date isn't, so that past evaluations can be
    /// repeated.
    func isOutOfDate(_ list: CTLogList, at time: Time) -> Bool {
        time >= list.date.advanced(by: maximumListAge)
    }

    private func requirement(for leaf: Certificate) -> Requirement {
        // No overflow: dates of certificates are in the years 0 to 9999.
        let lifetime = Duration.seconds(leaf.notAfter.secondsSinceEpoch - leaf.notBefore.secondsSinceEpoch)
        return embedded.first { $0.maximumLifetime.map { lifetime <= $0 } ?? true }
            ?? embedded.last ?? Requirement(maximumLifetime: nil, count: .max)
    }

    /// A timestamp, with the reason if it doesn't count.
    private struct Candidate {
        let item: TimestampEvidence.Item
        var record: TransparencyFinding.Timestamp

        init(_ item: TimestampEvidence.Item, reason: TransparencyFinding.Timestamp.Reason?) {
            self.item = item
            self.record = TransparencyFinding.Timestamp(
                origin: item.origin.rawValue, logID: Base64.encode(item.timestamp.logID), log: item.log?.description,
                operatorName: item.log?.operatorName(at: item.timestamp.time), state: item.log?.state.kind.rawValue,
                milliseconds: item.timestamp.milliseconds,
                signature: item.log == nil ? .unknownLog : item.isValid ? .valid : .invalid, reason: reason)
        }

        var counts: Bool { record.reason == nil }
        var isEmbedded: Bool { item.origin == .embedded }
        var isInUse: Bool { item.log?.state.kind.isInUse == true }
    }

    /// Returns the timestamps, each with the reason if it doesn't count.
    private func candidates(_ evidence: TimestampEvidence, leaf: Certificate, at time: Time) -> [Candidate] {
        var candidates = evidence.items.map { Candidate($0, reason: reason($0, leaf: leaf, at: time)) }
        // The certificate must also be from before the retirement. Its date is the earliest timestamp of a log in use.
        let issuance = candidates.filter { $0.counts && $0.isInUse }.map(\.item.timestamp.milliseconds).min() ?? 0
        var seen: Set<SeenLog> = []
        for index in candidates.indices where candidates[index].counts {
            let item = candidates[index].item
            if let state = item.log?.state, state.kind == .retired {
                let since = UInt64(clamping: state.since.secondsSinceEpoch).multipliedReportingOverflow(by: 1000)
                let limit = since.overflow ? UInt64.max : since.partialValue
                guard item.timestamp.milliseconds < limit, issuance < limit else {
                    candidates[index].record.reason = .retired
                    continue
                }
            }
            let log = SeenLog(id: item.timestamp.logID, isEmbedded: candidates[index].isEmbedded)
            if !seen.insert(log).inserted { candidates[index].record.reason = .repeated }
        }
        return candidates
    }

    /// A log with a timestamp that counts, embedded or separate.
    private struct SeenLog: Hashable {
        let id: [UInt8]
        let isEmbedded: Bool
    }

    /// Returns the reason why a timestamp by itself doesn't count, or nil if it does. Doesn't compare the date of a
    /// log's retirement.
    private func reason(
        _ item: TimestampEvidence.Item, leaf: Certificate, at time: Time
    ) -> TransparencyFinding.Timestamp.Reason? {
        if CTLogList.mimics.contains(item.timestamp.logID) { return .mimic }
        guard let log = item.log else { return .unknownLog }
        guard item.isValid else { return .badSignature }
        guard !item.timestamp.isLater(than: time) else { return .future }
        guard item.origin != .ocsp || countsOCSP else { return .origin }
        switch log.state.kind {
        case .pending: return .pending
        case .rejected: return .rejected
        // A timestamp that isn't embedded can be made after the retirement with any date.
        case .retired: if item.origin != .embedded { return .retired }
        case .readonly: if checksLogDates, item.timestamp.isLater(than: log.state.since) { return .readOnly }
        case .qualified, .usable: break
        }
        if checksLogDates, let shard = log.shard, !shard.contains(leaf.notAfter) { return .outsideShard }
        return nil
    }

    private typealias Outcome = (status: TransparencyFinding.Status, count: Int, required: Int)

    /// Returns the outcome for embedded timestamps, and the candidates with marks on those that exceed the limit per
    /// operator.
    private func embeddedOutcome(_ given: [Candidate], _ needed: Requirement) -> (Outcome, [Candidate]) {
        var candidates = given
        if let maximum = needed.maximumPerOperator {
            var counts: [String: Int] = [:]
            for index in candidates.indices where candidates[index].counts && candidates[index].isEmbedded {
                let name = candidates[index].record.operatorName ?? ""
                counts[name, default: 0] += 1
                if counts[name, default: 0] > maximum { candidates[index].record.reason = .operatorRepeated }
            }
        }
        // The limit per operator affects only the count. Any log of the operator can be the log in use, or the RFC 6962
        // log.
        let all = given.filter { $0.counts && $0.isEmbedded }
        let counted = candidates.count { $0.counts && $0.isEmbedded }
        return (outcome(all, counted, needed.count, inUse: embeddedInUse, operatorsOf: all), candidates)
    }

    /// Returns the outcome for timestamps from the handshake and from OCSP, or nil without such timestamps.
    private func separateOutcome(_ candidates: [Candidate]) -> Outcome? {
        let usable = candidates.filter { $0.counts && $0.isInUse }
        let separate = usable.filter { !$0.isEmbedded }
        guard !separate.isEmpty else { return nil }
        let counted = countsEmbeddedBesideSeparate ? usable : separate
        let number = Set(counted.map(\.item.timestamp.logID)).count
        return outcome(
            counted, number, self.separate, inUse: 0,
            operatorsOf: countsOperatorsOfAllOrigins ? candidates.filter(\.counts) : counted)
    }

    /// Compares timestamps with the rules.
    /// - Parameters:
    ///   - counted: the timestamps that count by themselves.
    ///   - number: the number of timestamps that count toward `required`.
    private func outcome(
        _ counted: [Candidate], _ number: Int, _ required: Int, inUse: Int, operatorsOf diverse: [Candidate]
    ) -> Outcome {
        let status: TransparencyFinding.Status =
            if number < required {
                .notEnough
            } else if counted.count(where: \.isInUse) < inUse {
                .noneInUse
            } else if Set(diverse.compactMap(\.record.operatorName)).count < minimumOperators {
                .notDiverse
            } else if needsRFC6962Log, !counted.contains(where: { $0.item.log?.isTiled == false }) {
                .noRFC6962Log
            } else {
                .complies
            }
        return (status, number, required)
    }
}
