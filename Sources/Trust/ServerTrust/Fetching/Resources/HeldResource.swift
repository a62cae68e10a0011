// SPDX-License-Identifier: Apache-2.0

/// A cache entry, with the lifetime that results from its dates.
struct HeldResource: Sendable {
    let entry: TrustResourceEntry
    let contents: ResourceContents?
    let dates: ResourceDates
    /// The last second when the resource is used without being fetched again.
    let freshUntil: Time
    /// The last second when the resource is used if fetching fails.
    let usableUntil: Time

    /// The bounds for the lifetime of an issuer. Certificates don't say how long an address serves them, so the
    /// server's lifetime applies within these bounds, or a day if the server states none.
    private static let issuerLifetime: ClosedRange = Duration.seconds(600) ... .days(7)
    /// The bounds for the lifetime of an answer without a next update: "newer information is available all the time"
    /// (RFC 6960 § 4.2.2.1).
    private static let lifetimeWithoutNextUpdate: ClosedRange = Duration.zero ... .hours(1)

    init(_ entry: TrustResourceEntry, _ parsed: ParsedResource, _ limits: TrustResourceLimits) {
        let dates = parsed.dates
        self.entry = entry
        self.contents = parsed.contents
        self.dates = dates
        let age = entry.maximumAge
        switch (entry.resource.kind, dates.nextUpdate) {
        case (.issuer, let end):
            let lifetime = Self.issuerLifetime.clamp(age ?? .days(1))
            // An expired certificate is fetched again soon, but not in every evaluation.
            let soonest = entry.fetched.advanced(by: Self.issuerLifetime.lowerBound)
            self.freshUntil = max(soonest, min(entry.fetched.advanced(by: lifetime), end ?? soonest))
            self.usableUntil = freshUntil
        case (.crl, let end?), (.ocsp, let end?):
            self.freshUntil = min(end, entry.fetched.advanced(by: limits.maximumLifetime))
            self.usableUntil = end
        case (.crl, nil), (.ocsp, nil):
            let lifetime = Self.lifetimeWithoutNextUpdate.clamp(age ?? .seconds(300))
            self.freshUntil = entry.fetched.advanced(by: lifetime)
            self.usableUntil = freshUntil
        }
    }

    /// Returns whether the resource may be used at all. It may not be used if its time is in the future because a clock
    /// was set back.
    func isUsable(at now: Time, tolerance: Duration) -> Bool {
        dates.isAnswer && now <= usableUntil && hasBegun(at: now, tolerance: tolerance)
            && entry.fetched <= now.advanced(by: tolerance)
    }

    /// Returns whether the resource's own date isn't in the future.
    func hasBegun(at now: Time, tolerance: Duration) -> Bool {
        dates.thisUpdate.map { $0 <= now.advanced(by: tolerance) } ?? true
    }

    /// Returns whether four fifths of the lifetime are over.
    func isDueForRefresh(at now: Time) -> Bool {
        let life = freshUntil.secondsSinceEpoch - entry.fetched.secondsSinceEpoch
        return now.secondsSinceEpoch - entry.fetched.secondsSinceEpoch >= life / 5 * 4
    }

    /// The approximate memory, in bytes. Parsed contents share the bytes. The index of a CRL takes up to a quarter
    /// more.
    var cost: Int {
        let index = if case .crl = contents { entry.bytes.count / 4 } else { 0 }
        return entry.bytes.count + index + entry.resource.url.utf8.count + (entry.resource.request?.count ?? 0) + 512
    }
}

extension ClosedRange where Bound == Duration {
    fileprivate func clamp(_ value: Duration) -> Duration { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
