// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// What evaluations get over the network: missing issuers, CRLs and OCSP responses, each fetched once for everybody who waits for
/// it, kept as long as it says it holds, and left alone for a while where it fails.
///
/// ```swift
/// let resources = TrustFetchCoordinator(
///     fetcher: HTTPTrustFetcher(), cache: try SQLiteTrustCache(file: "/var/cache/api/trust.sqlite"))
/// let verdict = await trust.evaluate(fetching: resources)
/// ```
/// Make one and keep it: what is remembered is remembered here. Bytes are looked up in memory, then in the cache, then fetched.
/// Wherever they come from nothing in them is believed: they are evaluated like anything that a server sends, and an older CRL or
/// OCSP response never takes the place of a newer one.
///
/// A fetcher that goes on after it was cancelled keeps its place among the concurrent ones until it ends; nobody waits for it.
public actor TrustFetchCoordinator {
    public nonisolated let limits: TrustResourceLimits

    /// What may be fetched; the rest has to be in memory or in the cache.
    public nonisolated let fetchable: Set<TrustResource.Kind>

    let fetcher: any TrustFetcher
    let cache: (any TrustResourceCache)?
    /// What is being written to the cache, and who waits for its end.
    var writes = 0
    var writeWaiters: [CheckedContinuation<Void, Never>] = []
    let refreshesAhead: Bool
    let clock: @Sendable () -> Time
    let reader: ResourceReader
    /// For back-off: a clock that nobody sets, and chance.
    let elapsed: @Sendable () -> Duration
    let chance: @Sendable () -> Double

    var memory: ResourceMemory
    var backOff: BackOff
    /// One at most for each resource.
    var inFlight: [TrustResource: InFlightFetch] = [:]
    var waiterCount = 0
    var lastNumber = 0
    var queues = FetchQueues()
    var running = RunningFetches()
    var deadlines = DeadlineQueue<Deadline>()
    var alarm: (at: ContinuousClock.Instant, task: Task<Void, Never>)?
    /// What happened so far.
    public internal(set) var statistics = TrustFetchStatistics()

    /// - Parameters:
    ///   - fetcher: the transport.
    ///   - cache: where things outlive the process; nil to keep them in memory alone.
    ///   - fetchable: what may be fetched; everything unless given.
    ///   - limits: see ``TrustResourceLimits``.
    ///   - refreshesAhead: whether what is used after four fifths of its life is fetched anew in the background, so that nobody has
    ///     to wait when it ends.
    ///   - clock: the date and time; the machine's unless given.
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

    deinit { alarm?.task.cancel() }
}

/// Counts since the beginning.
public struct TrustFetchStatistics: Sendable, Hashable, Codable {
    /// Answers from memory.
    public var foundInMemory = 0
    /// Answers from the cache.
    public var foundInCache = 0
    /// Those who waited for what was under way already.
    public var joined = 0
    /// Exchanges that were begun.
    public var fetches = 0
    /// Exchanges that brought nothing of use, time-outs included.
    public var failures = 0
    /// Requests that weren't made because the last one had failed a moment ago.
    public var backedOff = 0
    /// Refreshes ahead of time.
    public var refreshes = 0
    /// Times that the cache was of no use.
    public var cacheFailures = 0
    /// The most exchanges at the same time.
    public var mostConcurrentFetches = 0
}

// MARK: - Asking

extension TrustFetchCoordinator {
    /// The bytes of a resource: from memory, from the cache, or fetched; one exchange however many wait.
    ///
    /// Ends when the task is cancelled: with the last of those who wait the exchange ends as well. One that takes too long for
    /// everybody who waits goes on up to its own time-out, for whoever comes next.
    /// - Parameters:
    ///   - resource: what is asked for.
    ///   - usingNetwork: whether it may be fetched.
    ///   - deadline: when to give up; ``TrustResourceLimits/evaluationTimeout`` from now unless given.
    /// - Throws: ``TrustResourceError``; `CancellationError` never.
    public func answer(
        for resource: TrustResource, usingNetwork: Bool = true, by deadline: ContinuousClock.Instant? = nil
    ) async throws(TrustResourceError) -> TrustResourceAnswer {
        guard resource.url.utf8.count <= TrustResource.maximumURLSize else {
            throw TrustResourceError(
                .fetch(.unsupportedAddress), url: String(resource.url.prefix(64)) + "…",
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
                    waiter.end(.failure(TrustResourceError(.cancelled, url: resource.url)))
                    return
                }
                addWaiter(resource, ticket, waiter, by: deadline ?? .now.advanced(by: limits.evaluationTimeout))
            }
        } onCancel: {
            Task { await self.removeWaiter(resource, ticket, TrustResourceError(.cancelled, url: resource.url)) }
        }
        return try result.get()
    }

    /// Forgets what was given out, because it was evaluated and refused. It isn't served again; and if it came from the network
    /// just now, it isn't fetched again at once.
    ///
    /// Without it whoever can change an answer on its way once would block the true one for as long as the false one says.
    /// - Parameters:
    ///   - resource: what it was the answer for.
    ///   - answer: what was refused; if something else has come meanwhile, that stays.
    ///   - detail: why, for people.
    /// - Returns: whether something else is there in its place: what it had displaced, if that still holds, or what has come
    ///   meanwhile. It may be asked for again.
    @discardableResult
    public func reject(
        _ answer: TrustResourceAnswer, for resource: TrustResource, because detail: String
    ) async -> Bool {
        if answer.source == .network {
            backOff.failed(
                resource, TrustResourceError(.refused, url: resource.url, detail: detail), at: elapsed(),
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
            // What is on its way there must not come after this.
            await finishWriting()
            do throws(TrustResourceCacheError) {
                if let before { try await cache.store(before.entry) } else { try await cache.remove(resource) }
            } catch {
                statistics.cacheFailures += 1
            }
        }
        return before != nil
    }

    /// Keeps it in memory, and beside it what it takes the place of, if that still holds: who can change an answer on its way must
    /// not get rid of a true one with a false one.
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

    /// Forgets what is in memory, and that something failed. What is under way goes on.
    public func removeAll() {
        memory.removeAll()
        backOff = BackOff(limits)
    }

    /// How much is kept in memory, in bytes.
    public var memoryInUse: Int { memory.bytes }

    /// Fetches it anew in the background, unless it is under way.
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
