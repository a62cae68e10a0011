// SPDX-License-Identifier: Apache-2.0

import PKIX
import ServerTrust

/// The period of a timeline.
struct ReplayPeriod: Codable, Sendable, Equatable {
    /// The start in seconds since 1970.
    private let first: Int64
    /// The end in seconds since 1970.
    private let last: Int64

    init(from start: Time, to end: Time) { (first, last) = (start.secondsSinceEpoch, end.secondsSinceEpoch) }

    var start: Time { Time(secondsSinceEpoch: first) }
    var end: Time { Time(secondsSinceEpoch: last) }

    /// The number of equal parts that a chart has.
    static let parts = 120

    /// Returns the part that contains a time.
    func part(of time: Time) -> Int {
        let length = Double(max(1, last - first + 1))
        let place = Double(min(max(time.secondsSinceEpoch, first), last) - first)
        return min(Self.parts - 1, Int(place / length * Double(Self.parts)))
    }
}

/// The answer for a record during an interval of a timeline. Raw values are stable.
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
    var words: String {
        switch self {
        case .ok: "ok"
        case .stillRefused: "still refused"
        case .needsRenewal: "needs a renewal"
        case .notKnown: "not known"
        case .breaks: "breaks"
        }
    }

    /// The order of severity.
    var rank: Int {
        switch self {
        case .ok: 0
        case .stillRefused: 1
        case .needsRenewal: 2
        case .notKnown: 3
        case .breaks: 4
        }
    }
}

/// An interval of a timeline in which a host isn't simply trusted.
struct TimelineFact: Codable, Sendable, Equatable {
    var kind: TimelineKind
    /// The first second, in seconds since 1970.
    private var first: Int64
    /// The last second, or nil for the end of the timeline.
    private var last: Int64?
    /// The code of the first failure.
    var code: String?
    /// The failure, or the reason why the answer isn't known.
    var reason: String?
    /// Whether the record also breaks without the changes. Nil if that isn't known.
    var withoutChange: Bool?
    var party: Advice.Party?
    var remedy: String?

    /// The maximum size of a reason in bytes. A summary contains many.
    static let maximumReason = 320
    /// The maximum size of a remedy in bytes.
    static let maximumRemedy = 480

    init(_ kind: TimelineKind, from time: Time, code: String? = nil, reason: String?) {
        self.kind = kind
        first = time.secondsSinceEpoch
        self.code = code.map { $0.abridged(toBytes: 64) }
        self.reason = reason.map { $0.abridged(toBytes: Self.maximumReason) }
    }

    var from: Time { Time(secondsSinceEpoch: first) }

    var until: Time? {
        get { last.map { Time(secondsSinceEpoch: $0) } }
        set { last = newValue?.secondsSinceEpoch }
    }

    /// Whether another fact has the same kind and code.
    func isLike(_ other: TimelineFact) -> Bool { kind == other.kind && code == other.code }

    /// Whether the fact is listed before another: the sooner, and then the more severe.
    func comesBefore(_ other: TimelineFact) -> Bool {
        first != other.first ? first < other.first : kind.rank > other.kind.rank
    }
}
