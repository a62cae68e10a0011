// SPDX-License-Identifier: Apache-2.0

import ServerTrust
import TrustSupport

/// A coordinator of fetches for evaluations: missing issuers, CRLs and OCSP responses. Each is fetched once for all
/// evaluations that need it, kept for as long as its dates allow, and after a failure not fetched again until its
/// back-off has passed.
///
/// ```swift
/// let resources = TrustFetchCoordinator(
///     fetcher: HTTPTrustFetcher(), cache: try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite"))
/// let verdict = await trust.evaluate(fetching: resources)
/// ```
/// Make one and keep it, since its memory belongs to it. Bytes are looked up in memory, then in the cache, then
/// fetched. Their origin gives them no trust: they are evaluated like bytes that a server sends, and an older CRL or
/// OCSP response never replaces a newer one.
///
/// A fetcher that goes on after it was canceled keeps its place among the concurrent exchanges until it ends; no
/// evaluation waits for it.
public actor TrustFetchCoordinator {
    /// The limits of exchanges, memory and back-off.
    package nonisolated let limits: TrustResourceLimits

    /// The kinds that may be fetched. Others are taken from memory or the cache alone.
    package nonisolated let fetchable: Set<TrustResource.Kind>

    let fetcher: any TrustFetcher
    let cache: (any TrustResourceCache)?
    /// The number of entries that are being written to the cache, and the callers that wait for the last of them.
    var writes = 0
    var writeWaiters: [CheckedContinuation<Void, Never>] = []
    let refreshesAhead: Bool
    let clock: @Sendable () -> Time
    let reader: ResourceReader
    /// A monotonic clock, and random numbers from 0 up to 1, for back-off.
    let elapsed: @Sendable () -> Duration
    let chance: @Sendable () -> Double

    var memory: ResourceMemory
    var backOff: BackOff
    /// The fetches under way, at most one for each resource.
    var inFlight: [TrustResource: InFlightFetch] = [:]
    var waiterCount = 0
    var lastNumber = 0
    var queues = FetchQueues()
    var running = RunningFetches()
    var deadlines = DeadlineQueue<Deadline>()
    var timer: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// Counters since the coordinator was made.
    package internal(set) var statistics = TrustFetchStatistics()

    /// Creates a coordinator.
    /// - Parameters:
    ///   - fetcher: the transport.
    ///   - cache: the storage that outlives the process; nil, unless given, to keep answers in memory alone.
    ///   - fetchable: the kinds that may be fetched; all unless given.
    ///   - limits: see ``TrustResourceLimits``.
    ///   - refreshesAhead: whether resources that are used after four fifths of their lifetime are fetched again in the
    ///     background, so that no evaluation has to wait when it ends; false unless given.
    ///   - clock: the date and time; the system's unless given.
    public init(
        fetcher: any TrustFetcher, cache: (any TrustResourceCache)? = nil,
        fetchable: Set<TrustResource.Kind> = Set(TrustResource.Kind.allCases),
        limits: TrustResourceLimits = TrustResourceLimits(), refreshesAhead: Bool = false,
        clock: @escaping @Sendable () -> Time = { .now() }
    ) {
        let start = ContinuousClock.now
        self.init(
            fetcher: fetcher, cache: cache, fetchable: fetchable, limits: limits, refreshesAhead: refreshesAhead,
            clock: clock, reader: .standard, elapsed: { ContinuousClock.now - start },
            chance: { Double.random(in: 0..<1) })
    }

    init(
        fetcher: any TrustFetcher, cache: (any TrustResourceCache)? = nil,
        fetchable: Set<TrustResource.Kind> = Set(TrustResource.Kind.allCases),
        limits: TrustResourceLimits = TrustResourceLimits(), refreshesAhead: Bool = false,
        clock: @escaping @Sendable () -> Time, reader: ResourceReader, elapsed: @escaping @Sendable () -> Duration,
        chance: @escaping @Sendable () -> Double
    ) {
        self.fetcher = fetcher
        self.cache = cache
        self.fetchable = fetchable
        self.limits = limits
        self.refreshesAhead = refreshesAhead
        self.clock = clock
        self.reader = reader
        self.elapsed = elapsed
        self.chance = chance
        self.memory = ResourceMemory(capacity: limits.memoryBytes)
        self.backOff = BackOff(limits)
    }

    deinit { timer?.task.cancel() }
}

/// Counters of fetches since a coordinator was made.
package struct TrustFetchStatistics: Sendable, Hashable, Codable {
    /// Answers from memory.
    package var foundInMemory = 0
    /// Answers from the cache.
    package var foundInCache = 0
    /// Evaluations that waited for an exchange under way.
    package var joined = 0
    /// Exchanges that were started.
    package var fetches = 0
    /// Exchanges without a usable answer, time-outs included.
    package var failures = 0
    /// Exchanges that weren't made because of back-off after a failure.
    package var backedOff = 0
    /// Refreshes in the background.
    package var refreshes = 0
    /// Failures of the cache.
    package var cacheFailures = 0
    /// The most exchanges that ran at the same time.
    package var mostConcurrentFetches = 0
}

// MARK: - Requests

extension TrustFetchCoordinator {
    /// Returns the bytes of a resource: from memory, from the cache, or fetched. Concurrent calls for one resource
    /// share one exchange.
    ///
    /// Ends when the task is canceled; the exchange ends with its last waiter. One that takes longer than all its
    /// waiters can wait goes on up to its own time-out, for later calls. The bytes are parsed, and not evaluated.
    /// - Parameters:
    ///   - resource: the resource to get.
    ///   - usingNetwork: whether it may be fetched; true unless given.
    ///   - deadline: the end of the wait; ``TrustResourceLimits/evaluationTimeout`` from now unless given.
    /// - Throws: `TrustFetchError`; `CancellationError` never.
    package func answer(
        for resource: TrustResource, usingNetwork: Bool = true, by deadline: ContinuousClock.Instant? = nil
    ) async throws(TrustFetchError) -> TrustResourceAnswer {
        guard resource.url.utf8.count <= TrustResource.maximumURLSize else {
            throw TrustFetchError(
                .fetchUnsupportedAddress, url: String(withoutUserInformation(resource.url).prefix(64)) + "…",
                detail: "\(resource.url.utf8.count) bytes, expected at most \(TrustResource.maximumURLSize)")
        }
        let now = clock()
        if let held = memory.held(resource), held.isUsable(at: now, tolerance: limits.clockTolerance),
            now <= held.freshUntil
        {
            statistics.foundInMemory += 1
            if refreshesAhead, held.isDueForRefresh(at: now) { refresh(resource) }
            return TrustResourceAnswer(held.entry.bytes, held.contents, .memory)
        }
        lastNumber += 1
        let ticket = lastNumber
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = InFlightFetch.Waiter(
                    usesNetwork: usingNetwork && fetchable.contains(resource.kind), continuation: continuation)
                guard !Task.isCancelled else {
                    waiter.end(.failure(TrustFetchError(.fetchCancelled, url: resource.url)))
                    return
                }
                addWaiter(resource, ticket, waiter, by: deadline ?? .now.advanced(by: limits.evaluationTimeout))
            }
        } onCancel: {
            Task { await self.removeWaiter(resource, ticket, TrustFetchError(.fetchCancelled, url: resource.url)) }
        }
        return try result.get()
    }

    /// Removes an answer that was evaluated and refused. It isn't served again, and if it came from the network just
    /// now, it isn't fetched again until its back-off has passed.
    ///
    /// Without this, an attacker who changes one answer on its way would block the true one for as long as the false
    /// one claims to be valid.
    /// - Parameters:
    ///   - resource: the resource that was answered.
    ///   - answer: the refused answer; another one that has come meanwhile stays.
    ///   - detail: the reason, for people.
    /// - Returns: true if another answer is there in its place: the one that it had replaced, if still usable, or one
    ///   that has come meanwhile. It may be asked for again.
    @discardableResult
    package func reject(
        _ answer: TrustResourceAnswer, for resource: TrustResource, because detail: String
    ) async -> Bool {
        if answer.source == .network {
            backOff.failed(
                resource, TrustFetchError(.fetchRefused, url: resource.url, detail: detail), at: elapsed(),
                random: chance())
        }
        if let held = memory.held(resource), held.entry.bytes != answer.bytes {
            return held.isUsable(at: clock(), tolerance: limits.clockTolerance)
        }
        let before = memory.before(resource).flatMap {
            $0.isUsable(at: clock(), tolerance: limits.clockTolerance) ? $0 : nil
        }
        memory.remove(resource)
        if let before { memory.insert(before) }
        if let cache {
            // A write of the same entry that is under way must not end after the removal.
            await finishWriting()
            do throws(TrustResourceCacheError) {
                if let before { try await cache.store(before.entry) } else { try await cache.remove(resource) }
            } catch {
                statistics.cacheFailures += 1
            }
        }
        return before != nil
    }

    /// Keeps a resource in memory, along with the one that it replaces if that is still usable: an attacker who changes
    /// an answer on its way must not remove a true one by a false one.
    func keep(_ held: HeldResource) {
        let resource = held.entry.resource
        var before = memory.before(resource)
        if let known = memory.held(resource), known.entry.bytes != held.entry.bytes { before = known }
        if let known = before,
            resource.kind == .issuer || !known.isUsable(at: clock(), tolerance: limits.clockTolerance)
        {
            before = nil
        }
        memory.insert(held, before: before)
    }

    /// Removes all answers from memory, and forgets failures. Fetches under way go on.
    public func removeAll() {
        memory.removeAll()
        backOff = BackOff(limits)
    }

    /// The size of the answers in memory, in bytes.
    package var memoryInUse: Int { memory.bytes }

    /// Fetches a resource again in the background, unless a fetch is under way.
    private func refresh(_ resource: TrustResource) {
        guard inFlight[resource] == nil, fetchable.contains(resource.kind),
            backOff.refusal(of: resource, at: elapsed()) == nil
        else { return }
        statistics.refreshes += 1
        lastNumber += 1
        inFlight[resource] = InFlightFetch(number: lastNumber, isBackground: true, stage: .queued)
        queues.background.append(resource, lastNumber)
        startQueued()
    }
}
