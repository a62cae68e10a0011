// SPDX-License-Identifier: Apache-2.0

/// A coordinator that fetches missing issuers, CRLs and OCSP responses for evaluations.
///
/// It fetches each resource once for all evaluations that need it, and keeps it for as long as its dates allow. After a
/// failure, it waits for the back-off before it fetches the resource again.
///
/// ```swift
/// let resources = TrustFetchCoordinator(
///     fetcher: HTTPTrustFetcher(), cache: try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite"))
/// let verdict = await trust.evaluate(fetching: resources)
/// ```
/// Create one coordinator and keep it, because each has its own memory. It looks in memory, then in the cache, and then
/// fetches. The origin of the bytes doesn't make them trusted: the engine evaluates them like bytes that a server
/// sends. An older CRL or OCSP response never replaces a newer one.
///
/// If a fetcher continues after it was canceled, it occupies its place among the concurrent exchanges until it ends. No
/// evaluation waits for it.
public actor TrustFetchCoordinator {
    /// The limits of exchanges, memory and back-off.
    nonisolated let limits: TrustResourceLimits

    /// The kinds that may be fetched. Resources of other kinds only come from memory or the cache.
    nonisolated let fetchable: Set<TrustResource.Kind>

    let fetcher: any TrustFetcher
    let cache: (any TrustResourceCache)?
    /// The number of entries that are being written to the cache. `writeWaiters` are the callers that wait for the last
    /// one.
    var writes = 0
    var writeWaiters: [CheckedContinuation<Void, Never>] = []
    let refreshesAhead: Bool
    let clock: @Sendable () -> Time
    let reader: ResourceReader
    /// A monotonic clock for back-off. `chance` returns random numbers from 0 up to 1.
    let elapsed: @Sendable () -> Duration
    let chance: @Sendable () -> Double

    var memory: ResourceMemory
    var backOff: BackOff
    /// The fetches in progress, at most one for each resource.
    var inFlight: [TrustResource: InFlightFetch] = [:]
    var waiterCount = 0
    var lastNumber = 0
    var queues = FetchQueues()
    var running = RunningFetches()
    var deadlines = DeadlineQueue<Deadline>()
    var timer: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// Counters since the coordinator was created.
    package internal(set) var statistics = TrustFetchStatistics()

    /// Creates a coordinator.
    /// - Parameters:
    ///   - fetcher: the transport.
    ///   - cache: the storage that outlives the process. By default, there is no cache, and answers stay only in
    ///     memory.
    ///   - fetchable: the kinds that may be fetched. The default is all.
    ///   - limits: see ``TrustResourceLimits``.
    ///   - refreshesAhead: whether to fetch a resource again in the background if it is used after four fifths of its
    ///     lifetime. Then no evaluation has to wait when the lifetime ends. The default is false.
    ///   - clock: the date and time. The default is the system's clock.
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

/// Counters of fetches since a coordinator was created.
package struct TrustFetchStatistics: Sendable, Hashable, Codable {
    /// The number of answers from memory.
    var foundInMemory = 0
    /// The number of answers from the cache.
    var foundInCache = 0
    /// The number of evaluations that waited for an exchange in progress.
    var joined = 0
    /// The number of exchanges that were started.
    var fetches = 0
    /// The number of exchanges without a usable answer, including time-outs.
    var failures = 0
    /// The number of exchanges that weren't started because of back-off after a failure.
    var backedOff = 0
    /// The number of refreshes in the background.
    var refreshes = 0
    /// The number of failures of the cache.
    var cacheFailures = 0
    /// The maximum number of exchanges that ran at the same time.
    var mostConcurrentFetches = 0
}

// MARK: - Requests

extension TrustFetchCoordinator {
    typealias Outcome = Result<TrustResourceAnswer, TrustFetchError>

    /// Returns the bytes of a resource from memory, from the cache, or from the network. Concurrent calls for one
    /// resource share one exchange.
    ///
    /// The call ends if its task is canceled, and the exchange ends with its last caller. If an exchange takes longer
    /// than all its callers wait, it continues up to its own time-out, for later calls. The bytes are parsed, but not
    /// evaluated.
    /// - Parameters:
    ///   - resource: the resource to get.
    ///   - usingNetwork: whether the resource may be fetched. The default is true.
    ///   - deadline: the end of the wait. The default is ``TrustResourceLimits/evaluationTimeout`` from now.
    /// - Returns: the answer or the error. A canceled call has a `TrustFetchError` too.
    func outcome(
        for resource: TrustResource, usingNetwork: Bool = true, by deadline: ContinuousClock.Instant? = nil
    ) async -> Outcome {
        guard resource.url.utf8.count <= TrustResource.maximumURLSize else {
            return .failure(
                TrustFetchError(
                    .fetchUnsupportedAddress, url: String(withoutUserInformation(resource.url).prefix(64)) + "…",
                    detail: "\(resource.url.utf8.count) bytes, expected at most \(TrustResource.maximumURLSize)"))
        }
        let now = clock()
        if let held = memory.held(resource), held.isUsable(at: now, tolerance: limits.clockTolerance),
            now <= held.freshUntil
        {
            statistics.foundInMemory += 1
            if refreshesAhead, held.isDueForRefresh(at: now) { refresh(resource) }
            return .success(TrustResourceAnswer(held.entry.bytes, held.contents, .memory))
        }
        lastNumber += 1
        let ticket = lastNumber
        return await withTaskCancellationHandler {
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
    }

    /// Removes an answer that an evaluation refused. It isn't returned again. If it just came from the network, it
    /// isn't fetched again until its back-off has passed.
    ///
    /// Without this, an attacker who changes one answer on the network would block the true answer for as long as the
    /// false one claims to be valid.
    /// - Parameters:
    ///   - resource: the resource of the answer.
    ///   - answer: the refused answer. If another answer has arrived meanwhile, that one stays.
    ///   - detail: the reason, for people.
    /// - Returns: whether there is another answer now: the one that the refused answer had replaced, if still usable,
    ///   or one that has arrived meanwhile. If true, you may ask for the resource again.
    @discardableResult
    func reject(
        _ answer: TrustResourceAnswer, for resource: TrustResource, because detail: String
    ) async -> Bool {
        if answer.source == .network {
            backOff.failed(
                resource, TrustFetchError(.fetchRefused, url: resource.url, detail: detail), at: elapsed(),
                random: chance())
        }
        if let held = memory.held(resource), held.entry.bytes != answer.bytes {
            return isUsable(held)
        }
        let before = memory.before(resource).flatMap { isUsable($0) ? $0 : nil }
        memory.remove(resource)
        if let before { memory.insert(before) }
        if let cache {
            // A write of the same entry that is in progress must not end after the removal.
            await finishWriting()
            do throws(TrustResourceCacheError) {
                if let before { try await cache.store(before.entry) } else { try await cache.remove(resource) }
            } catch {
                statistics.cacheFailures += 1
            }
        }
        return before != nil
    }

    func isUsable(_ held: HeldResource) -> Bool { held.isUsable(at: clock(), tolerance: limits.clockTolerance) }

    /// Keeps a resource in memory, and the one it replaces if that is still usable. An attacker who changes an answer
    /// on the network must not be able to replace a true answer with a false one.
    func keep(_ held: HeldResource) {
        let resource = held.entry.resource
        var before = memory.before(resource)
        if let known = memory.held(resource), known.entry.bytes != held.entry.bytes { before = known }
        if let known = before, resource.kind == .issuer || !isUsable(known) { before = nil }
        memory.insert(held, before: before)
    }

    /// Removes all answers from memory and forgets failures. Fetches in progress continue.
    public func removeAll() {
        memory.removeAll()
        backOff = BackOff(limits)
    }

    /// The size of the answers in memory, in bytes.
    var memoryInUse: Int { memory.bytes }

    /// Fetches a resource again in the background, unless a fetch is in progress.
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
