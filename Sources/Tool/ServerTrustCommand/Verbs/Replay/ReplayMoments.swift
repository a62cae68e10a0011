// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

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
