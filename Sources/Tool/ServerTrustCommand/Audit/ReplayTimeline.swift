// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The period of a timeline.
struct ReplayPeriod: Codable, Sendable, Equatable {
    let start: Time
    let end: Time

    /// The number of equal parts that a chart has.
    static let parts = 120

    /// Returns the part that contains a time.
    func part(of time: Time) -> Int {
        let first = start.secondsSinceEpoch
        let length = Double(max(1, end.secondsSinceEpoch - first + 1))
        let place = Double(min(max(time, start), end).secondsSinceEpoch - first)
        return min(Self.parts - 1, Int(place / length * Double(Self.parts)))
    }
}

/// The answer for a record during an interval of a timeline, least severe first. Raw values are stable.
enum TimelineKind: String, Codable, Sendable, CaseIterable {
    /// Trusted, with the recorded certificates and evidence.
    case ok
    /// Refused as when it was recorded, with and without the changes.
    case stillRefused
    /// Trusted if the same CA renews the leaf for the same key, and if the client has fresh evidence.
    case needsRenewal
    case notKnown
    /// Refused even with a renewed leaf and fresh evidence.
    case breaks

    /// The name in texts.
    var words: String { self == .needsRenewal ? "needs a renewal" : rawValue.wordsOfName }

    /// The order of severity.
    var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// An interval of a timeline in which a host isn't simply trusted.
struct TimelineFact: Codable, Sendable, Equatable {
    var kind: TimelineKind
    /// The first second.
    var from: Time
    /// The last second, or nil for the end of the timeline.
    var until: Time?
    var cause: ReplayCause
    /// Whether the record also breaks without the changes. Nil if that isn't known.
    var withoutChange: Bool?

    /// The maximum size of a reason in bytes. A summary contains many.
    static let maximumReason = 320
    /// The maximum size of a remedy in bytes.
    static let maximumRemedy = 480

    init(_ kind: TimelineKind, from time: Time, code: String? = nil, reason: String?) {
        self.kind = kind
        from = time
        cause = ReplayCause(
            code: code?.abridged(toBytes: 64), reason: reason?.abridged(toBytes: Self.maximumReason))
    }

    /// Whether another fact has the same kind and code.
    func isLike(_ other: TimelineFact) -> Bool { kind == other.kind && cause.code == other.cause.code }

    /// Whether the fact is listed before another: the sooner, and then the more severe.
    func comesBefore(_ other: TimelineFact) -> Bool {
        from != other.from ? from < other.from : kind.rank > other.kind.rank
    }
}
