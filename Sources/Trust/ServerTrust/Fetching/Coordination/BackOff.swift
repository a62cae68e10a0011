// SPDX-License-Identifier: Apache-2.0

/// The resources and hosts that failed recently, each with the end of the delay before its next request. Belongs to one
/// actor and is never written to disk.
///
/// Times come from a monotonic clock.
struct BackOff {
    /// The subject of a delay.
    private enum Subject: Hashable {
        /// A resource, by its digest, because addresses may be long.
        case resource([UInt8])
        /// A host, for one kind of resource. The certificate whose issuer is fetched isn't validated and may name any
        /// address. Its failures must not delay requests to a CA's responder.
        case host(TrustResource.Kind, String)
    }

    private struct Failures {
        var count: Int
        var until: Duration
        var last: TrustFetchError
    }

    /// The number of consecutive failures of a host before its requests are delayed. One of many addresses may be dead.
    private static let hostTolerance = 3

    private var subjects: [Subject: Failures] = [:]
    private let delays: ExponentialBackOff
    private let capacity: Int

    init(_ limits: TrustResourceLimits) {
        self.delays = ExponentialBackOff(initial: limits.initialBackOff, maximum: limits.maximumBackOff)
        self.capacity = limits.maximumRememberedFailures
    }

    var count: Int { subjects.count }

    /// Returns the error for a resource that may not be fetched yet, or nil if it may.
    func refusal(of resource: TrustResource, at now: Duration) -> TrustFetchError? {
        let found = [subjects[.resource(resource.digest)], host(of: resource)].compactMap { $0 }
            .filter { $0.until > now }.max { $0.until < $1.until }
        guard let found else { return nil }
        let seconds = max(1, (found.until - now).components.seconds)
        let cause = found.last.detail.isEmpty ? "" : ": \(found.last.detail)"
        return TrustFetchError(
            .fetchBackingOff, url: resource.url,
            detail: "for \(seconds) s, after \(found.count) of \(found.last.reportedName)\(cause)")
    }

    private func host(of resource: TrustResource) -> Failures? {
        guard let failures = subjects[.host(resource.kind, resource.authority)], failures.count >= Self.hostTolerance
        else {
            return nil
        }
        return failures
    }

    /// Notes a failure.
    /// - Parameter random: a random number from 0 up to 1.
    mutating func failed(_ resource: TrustResource, _ error: TrustFetchError, at now: Duration, random: Double) {
        // A canceled fetch doesn't count as a failure of its resource.
        guard error.code != .fetchCancelled, error.code != .fetchBackingOff else { return }
        note(.resource(resource.digest), error, now, random, tolerated: 0)
        if Self.isOfHost(error.code) {
            note(.host(resource.kind, resource.authority), error, now, random, tolerated: Self.hostTolerance - 1)
        }
    }

    mutating func succeeded(_ resource: TrustResource) {
        subjects[.resource(resource.digest)] = nil
        subjects[.host(resource.kind, resource.authority)] = nil
    }

    private static func isOfHost(_ code: ErrorCode) -> Bool {
        code == .fetchTimedOut || code == .fetchUnreachable || code == .fetchProtocolViolation
    }

    private mutating func note(
        _ subject: Subject, _ error: TrustFetchError, _ now: Duration, _ random: Double, tolerated: Int
    ) {
        var failures = subjects[subject] ?? Failures(count: 0, until: now, last: error)
        // Old failures no longer count.
        if failures.until + delays.maximum < now { failures.count = 0 }
        failures.count += 1
        failures.last = error
        failures.until = now + delays.delay(afterFailures: failures.count - tolerated, random: 1 - random)
        if subjects[subject] == nil, subjects.count >= capacity,
            let first = subjects.min(by: { $0.value.until < $1.value.until })?.key
        {
            subjects[first] = nil
        }
        if capacity > 0 { subjects[subject] = failures }
    }
}
