// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// An entry with what follows from its dates.
struct HeldResource: Sendable {
    let entry: TrustResourceEntry
    let contents: ResourceContents?
    let dates: ResourceDates
    /// Up to here, this second included, it serves without being fetched anew…
    let freshUntil: Time
    /// …and up to here if that fails.
    let usableUntil: Time

    /// Of an issuer, in seconds: certificates don't say how long an address has them, so what the server says counts between
    /// these bounds, and a day if it says nothing.
    private static let issuerLifetime: ClosedRange<Int64> = 600...7 * 86_400
    /// Of an answer that doesn't say when the next is due: "newer information is available all the time" (RFC 6960 § 4.2.2.1).
    private static let lifetimeWithoutNextUpdate: ClosedRange<Int64> = 0...3600

    init(_ entry: TrustResourceEntry, _ parsed: ParsedResource, _ limits: TrustResourceLimits) {
        let dates = parsed.dates
        self.entry = entry
        self.contents = parsed.contents
        self.dates = dates
        let age = entry.maximumAge.map { Int64($0) }
        switch (entry.resource.kind, dates.nextUpdate) {
        case (.issuer, let end):
            let lifetime = Self.issuerLifetime.clamp(age ?? 86_400)
            // One that has run out is looked at again soon, but not with every evaluation.
            let soonest = entry.fetched.advanced(by: Self.issuerLifetime.lowerBound)
            self.freshUntil = max(soonest, min(entry.fetched.advanced(by: lifetime), end ?? soonest))
            self.usableUntil = freshUntil
        case (.crl, let end?), (.ocsp, let end?):
            self.freshUntil = min(end, entry.fetched.advanced(by: limits.maximumLifetime))
            self.usableUntil = end
        case (.crl, nil), (.ocsp, nil):
            let lifetime = Self.lifetimeWithoutNextUpdate.clamp(age ?? 300)
            self.freshUntil = entry.fetched.advanced(by: lifetime)
            self.usableUntil = freshUntil
        }
    }

    /// Whether it may be used at all. A clock that was set back makes it come from the future: then it isn't, for now.
    func isUsable(at now: Time, tolerance: Int64) -> Bool {
        dates.isAnswer && now <= usableUntil && hasBegun(at: now, tolerance: tolerance)
            && entry.fetched <= now.advanced(by: tolerance)
    }

    /// Whether its own beginning isn't in the future.
    func hasBegun(at now: Time, tolerance: Int64) -> Bool {
        dates.thisUpdate.map { $0 <= now.advanced(by: tolerance) } ?? true
    }

    /// Whether four fifths of its life are over.
    func isDueForRefresh(at now: Time) -> Bool {
        let life = freshUntil.secondsSinceEpoch - entry.fetched.secondsSinceEpoch
        return now.secondsSinceEpoch - entry.fetched.secondsSinceEpoch >= life / 5 * 4
    }

    /// The memory that it takes, in bytes, about. Parsed contents share the bytes; the index of a CRL takes up to a quarter as much
    /// again.
    var cost: Int {
        let index = if case .crl = contents { entry.bytes.count / 4 } else { 0 }
        return entry.bytes.count + index + entry.resource.url.utf8.count + (entry.resource.request?.count ?? 0) + 512
    }
}

extension ClosedRange where Bound == Int64 {
    fileprivate func clamp(_ value: Int64) -> Int64 { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
