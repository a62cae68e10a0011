// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

extension ReplayEvaluator {
    /// The maximum number of moments at which a record is evaluated. A record of a client has less than twenty. A hostile
    /// one may have thousands of certificates.
    private static let maximumMoments = 64

    /// Returns the intervals in which a record isn't simply trusted, or nil without `--until`.
    mutating func timeline(_ replayed: ReplayedRecord) throws(TrustRecordError) -> [TimelineFact]? {
        guard let period = changes.period else { return nil }
        if let obstacle = replayed.obstacle { return [TimelineFact(.notKnown, from: period.start, reason: obstacle)] }
        var world = try world(of: replayed.record)
        let moments = ReplayMoments(of: world, in: period)
        var unchanged: ReplayWorld?
        var intervals: [TimelineFact] = []
        var latest: ReplayWorld.State?
        // Evidence that has ended no longer revokes a certificate, but fresh evidence would.
        var revoked = replayed.forecast == nil ? replayed.verdict.flatMap(ReplayWorld.State.init(revokedBy:)) : nil
        var next: Time? = period.start
        var count = 0
        while let time = next {
            count += 1
            guard count <= Self.maximumMoments, moments.cut.map({ time < $0 }) ?? true else {
                intervals.append(
                    TimelineFact(.notKnown, from: time, reason: "the record has too many dates to evaluate them all"))
                break
            }
            var state = world.state(at: time)
            next = moments.next(after: time, unchangedUntil: state.unchangedUntil, in: period)
            if state.revoked != nil { revoked = state }
            // A renewed leaf isn't the revoked one.
            if let revoked, state.kind != .breaks, revoked.revoked != 0 || !world.leafHasEnded(at: time) {
                state = revoked
            }
            if let latest, latest.kind == state.kind, latest.code == state.code { continue }
            latest = state
            var fact = TimelineFact(state.kind, from: time, code: state.code, reason: state.reason)
            if state.kind == .breaks { try complete(&fact, state, replayed, isFirst: intervals.isEmpty, &unchanged) }
            intervals.append(fact)
        }
        for place in intervals.indices.dropLast() {
            intervals[place].until = intervals[place + 1].from.advanced(by: -1)
        }
        return intervals.filter { $0.kind != .ok }
    }

    /// Adds whether a record also breaks without the changes, and what to do.
    /// - Parameters:
    ///   - isFirst: whether the interval begins with the timeline.
    ///   - unchanged: the record without the changes, or nil if it wasn't needed yet.
    private mutating func complete(
        _ fact: inout TimelineFact, _ state: ReplayWorld.State, _ replayed: ReplayedRecord, isFirst: Bool,
        _ unchanged: inout ReplayWorld?
    ) throws(TrustRecordError) {
        let record = replayed.record
        if changes.cantCause(state) {
            fact.withoutChange = true
        } else if record.isReproducible {
            if unchanged == nil { unchanged = ReplayWorld(record, try replay.trust(of: record).0) }
            let kind = unchanged?.state(at: fact.from).kind
            let wasRevoked = record.recorded.codes.contains(TrustFailure.Code.certificateRevoked.name)
            fact.withoutChange = kind == .notKnown ? nil : kind == .breaks || wasRevoked
        }
        if isFirst, !record.recorded.isTrusted, fact.withoutChange != false { fact.kind = .stillRefused }
        guard fact.kind == .breaks, let verdict = state.verdict,
            isNew("timeline \(fact.cause.code ?? "") \(replayed.host ?? "")")
        else { return }
        fact.cause.remedy = changes.remedy(for: replayed, verdict)?.abridged(toBytes: TimelineFact.maximumRemedy)
    }

    /// Returns a record with the changes, at any time.
    private mutating func world(of record: TrustRecord) throws(TrustRecordError) -> ReplayWorld {
        var (changed, used) = (record, Set<String>())
        changes.apply(to: &changed, used: &used)
        var trust = try replay.trust(of: changed).0
        changes.apply(to: &trust, of: changed, stores)
        // The changes may remove the CA whose leaves move.
        let move = changes.renewal?.move(of: record)
        return ReplayWorld(
            changed, trust, manager: try manager(for: record), pins: changes.pins, move: move)
    }
}

extension ReplayChanges {
    /// Whether the changes can't cause a refusal: nothing changes, or only the pins change and the refusal is
    /// about certificates.
    fileprivate func cantCause(_ state: ReplayWorld.State) -> Bool {
        let aboutCertificates: Set<TrustFailure.Code> = [
            .certificateExpired, .certificateNotYetValid, .unknownIssuer, .hostMismatch,
        ]
        let isAboutCertificates = aboutCertificates.contains { $0.name == state.code }
        return options.allSatisfy { option in option.name == "--at" || isAboutCertificates && option.name == "--pins" }
    }
}

/// The moments at which the verdict on a record may change, apart from those that a trusted verdict names itself.
struct ReplayMoments {
    /// The moments in a period, in order.
    private(set) var times: [Time] = []
    /// The moments of pins, at which a trusted verdict may end before `TrustVerdict.unchangedUntil`.
    private(set) var pins: Set<Time> = []
    /// The time from which moments are missing, or nil if there are all.
    private(set) var cut: Time?

    /// The maximum number of starts and ends of evidence. A record of a client has less than ten.
    private static let maximumEvidence = 64

    init(of world: ReplayWorld, in period: ReplayPeriod) {
        var found: Set<Time> = []
        func add(_ time: Time) { if time > period.start, time <= period.end { found.insert(time) } }
        for certificate in world.certificates {
            add(certificate.notBefore)
            add(certificate.notAfter.advanced(by: 1))
        }
        for limit in world.issuanceLimits { add(limit.advanced(by: 1)) }
        for end in world.pinExpiries.map({ $0.advanced(by: 1) }) where end > period.start && end <= period.end {
            found.insert(end)
            pins.insert(end)
        }
        var time = period.start
        var count = 0
        while world.hasEvidence, let last = world.trust.evidenceWindow(around: time).until, last < period.end {
            time = last.advanced(by: 1)
            count += 1
            guard count <= Self.maximumEvidence else {
                cut = time
                break
            }
            found.insert(time)
        }
        times = found.sorted()
    }

    /// Returns the next moment after a time.
    /// - Parameter unchanged: the last second at which a verdict stays trusted if its pins do, or nil.
    func next(after time: Time, unchangedUntil unchanged: Time?, in period: ReplayPeriod) -> Time? {
        let next = times.first { $0 > time && (pins.contains($0) || $0 > (unchanged ?? time)) }
        let end = unchanged.map { $0.advanced(by: 1) }.flatMap { $0 > time && $0 <= period.end ? $0 : nil }
        let bound = cut.flatMap { $0 > time ? $0 : nil }
        return [next, end, bound].compactMap(\.self).min()
    }
}
