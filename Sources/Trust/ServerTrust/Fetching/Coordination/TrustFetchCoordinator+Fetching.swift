// SPDX-License-Identifier: Apache-2.0

// The steps of one fetch: cache, back-off, queue, exchange, then memory and cache. Each step is one call on the actor.
// The number of the fetch shows whether it was abandoned in between.

extension TrustFetchCoordinator {
    func didLookUp(
        _ resource: TrustResource, _ number: Int, _ result: Result<TrustResourceEntry?, TrustResourceCacheError>,
        _ parsed: ParsedResource?
    ) {
        guard inFlight[resource]?.number == number else { return }
        switch result {
        case .failure(let error):
            statistics.cacheFailures += 1
            inFlight[resource]?.cacheFailure = error
        case .success(let entry?) where entry.resource == resource:
            if let parsed {
                let held = HeldResource(entry, parsed, limits)
                let now = clock()
                if !isOlder(held.dates, than: memory.held(resource)) {
                    keep(held)
                    if held.isUsable(at: now, tolerance: limits.clockTolerance), now <= held.freshUntil {
                        statistics.foundInCache += 1
                        return complete(
                            resource, number, .success(TrustResourceAnswer(entry.bytes, held.contents, .cache)))
                    }
                }
            }
        case .success: break
        }
        proceed(resource, number)
    }

    /// Parses bytes. Returns nil if they are too large or have another format. Runs outside the actor, because parsing
    /// a CRL of many megabytes takes many milliseconds.
    @concurrent
    nonisolated func parse(_ bytes: [UInt8], _ kind: TrustResource.Kind) async -> ParsedResource? {
        bytes.count <= limits.maximumBytes(of: kind) ? reader.parse(bytes, kind) : nil
    }

    /// Queues a fetch if neither memory nor cache had the answer, unless back-off or the waiting callers forbid using
    /// the network.
    func proceed(_ resource: TrustResource, _ number: Int) {
        for (ticket, waiter) in inFlight[resource]?.waiters ?? [:] where !waiter.usesNetwork {
            removeWaiter(resource, ticket, TrustFetchError(.fetchNotCached, url: resource.url))
        }
        guard let fetch = inFlight[resource], fetch.number == number else { return }
        if let refusal = backOff.refusal(of: resource, at: elapsed()) {
            statistics.backedOff += 1
            return complete(resource, number, fallback(resource, refusal) ?? .failure(refusal))
        }
        inFlight[resource]?.stage = .queued
        inFlight[resource]?.task = nil
        queues.append(resource, number)
        startQueued()
    }

    /// Moves a background refresh to the queue of its kind when its first caller waits.
    func promote(_ resource: TrustResource) {
        guard let fetch = inFlight[resource], fetch.isBackground, fetch.stage == .queued else { return }
        queues.append(resource, fetch.number)
        startQueued()
    }

    func startQueued() {
        startQueued(in: [\.ocsp, \.crls])
        startQueued(in: [\.issuers])
        startQueued(in: [\.background])
    }

    /// Starts fetches in order of arrival. A fetch without room delays only its own queue.
    private func startQueued(in queues: [WritableKeyPath<FetchQueues, FetchQueue>]) {
        while let queue = queues.filter({ hasStartable($0) }).min(by: { firstNumber($0) < firstNumber($1) }),
            let (resource, number) = self.queues[keyPath: queue].first
        {
            start(resource, number)
            self.queues[keyPath: queue].removeFirst()
        }
    }

    /// Removes abandoned fetches from the head of a queue, and returns whether the first remaining fetch may start.
    private func hasStartable(_ queue: WritableKeyPath<FetchQueues, FetchQueue>) -> Bool {
        while let (resource, number) = queues[keyPath: queue].first {
            if let fetch = inFlight[resource], fetch.number == number, fetch.stage == .queued {
                return running.hasRoom(for: resource.kind, limits)
            }
            queues[keyPath: queue].removeFirst()
        }
        return false
    }

    private func firstNumber(_ queue: WritableKeyPath<FetchQueues, FetchQueue>) -> Int {
        queues[keyPath: queue].first?.number ?? .max
    }

    private func start(_ resource: TrustResource, _ number: Int) {
        running.begin(resource.kind)
        statistics.fetches += 1
        statistics.mostConcurrentFetches = max(statistics.mostConcurrentFetches, running.count)
        let request = TrustFetchRequest(
            resource.kind, url: resource.url, body: resource.request,
            maximumBytes: limits.maximumBytes(of: resource.kind),
            maximumRedirects: limits.maximumRedirects, timeout: limits.fetchTimeout)
        schedule(
            Deadline(resource: resource, number: number, isFetch: true), at: .now.advanced(by: limits.fetchTimeout))
        inFlight[resource]?.stage = .fetching
        inFlight[resource]?.task = Task {
            var entry: TrustResourceEntry?
            do throws(TrustFetchError) {
                let response = try await self.fetcher.fetch(request)
                let parsed = await self.parse(response.body, resource.kind)
                entry = self.didFetch(resource, number, .success(response), parsed)
            } catch {
                entry = self.didFetch(resource, number, .failure(error), nil)
            }
            // All callers have the answer. The exchange keeps its place until the entry is written, so that entries
            // don't pile up if the disk is slow.
            if let entry, let cache = self.cache {
                self.writes += 1
                do throws(TrustResourceCacheError) { try await cache.store(entry) } catch {
                    self.statistics.cacheFailures += 1
                }
                self.endWrite()
            }
            self.running.end(resource.kind)
            self.startQueued()
        }
    }

    private func endWrite() {
        writes -= 1
        guard writes == 0 else { return }
        for waiter in writeWaiters { waiter.resume() }
        writeWaiters = []
    }

    /// Waits until all answers so far are written to the cache or have failed to be written. Evaluations don't wait for
    /// writes. Call this if your program ends right after an evaluation.
    public func finishWriting() async {
        guard writes > 0 else { return }
        await withCheckedContinuation { writeWaiters.append($0) }
    }

    /// Ends a fetch with the result of its exchange.
    /// - Returns: the entry to write to the cache, or nil if there is nothing to write.
    private func didFetch(
        _ resource: TrustResource, _ number: Int, _ result: Result<TrustFetchResponse, TrustFetchError>,
        _ parsed: ParsedResource?
    ) -> TrustResourceEntry? {
        // A result after the time-out is too late.
        guard let fetch = inFlight[resource], fetch.number == number else { return nil }
        let held: HeldResource
        do throws(TrustFetchError) { held = try checked(resource, result.get(), parsed) } catch {
            fail(resource, number, error)
            return nil
        }
        let answer = TrustResourceAnswer(held.entry.bytes, held.contents, .network, cacheFailure: fetch.cacheFailure)
        guard isUsable(held) else {
            // A caller may evaluate at another date than today, so the answer is returned, but it isn't fetched again
            // soon.
            backOff.failed(
                resource,
                TrustFetchError(
                    held.dates.isAnswer ? .fetchOutOfDate : .fetchRefused, url: resource.url, detail: held.dates.text),
                at: elapsed(), random: chance())
            statistics.failures += 1
            complete(
                resource, number,
                fallback(resource, TrustFetchError(.fetchOutOfDate, url: resource.url)) ?? .success(answer))
            return nil
        }
        backOff.succeeded(resource)
        keep(held)
        complete(resource, number, .success(answer))
        return held.entry
    }

    /// Returns the entry of a response.
    /// - Throws: `TrustFetchError` for a response that has no usable contents or is older than the known one.
    private func checked(
        _ resource: TrustResource, _ response: TrustFetchResponse, _ parsed: ParsedResource?
    ) throws(TrustFetchError) -> HeldResource {
        let size = response.body.count
        // The transport also applies the limit.
        let maximum = limits.maximumBytes(of: resource.kind)
        guard size <= maximum else {
            throw TrustFetchError(
                .fetchTooLarge, url: resource.url, detail: "\(size) bytes, expected at most \(maximum)")
        }
        guard let parsed else {
            throw TrustFetchError(
                .fetchMalformed, url: resource.url, detail: "\(size) bytes, expected \(resource.kind.text)")
        }
        var entry = TrustResourceEntry(
            resource: resource, bytes: response.body, fetched: clock(), maximumAge: response.maximumAge)
        entry.validators = response.validators
        let known = memory.held(resource)
        guard !isOlder(parsed.dates, than: known) else {
            let known = known?.dates.thisUpdate.map { ", but one dated \($0) is known" } ?? ""
            throw TrustFetchError(
                .fetchOlderThanKnown, url: resource.url,
                detail: "dated \(parsed.dates.thisUpdate.map { "\($0)" } ?? "unknown")\(known)")
        }
        return HeldResource(entry, parsed, limits)
    }

    /// Ends a fetch without a usable answer.
    func fail(_ resource: TrustResource, _ number: Int, _ error: TrustFetchError) {
        if error.code != .fetchCancelled { statistics.failures += 1 }
        backOff.failed(resource, error, at: elapsed(), random: chance())
        complete(resource, number, fallback(resource, error) ?? .failure(error))
    }

    /// Returns whether a resource is older than the one in memory, for example because an attacker replays an old
    /// answer. Both dates are from the issuer, so a wrong clock has no effect. `reject(_:for:because:)` removes answers
    /// that don't come from the issuer.
    private func isOlder(_ dates: ResourceDates, than known: HeldResource?) -> Bool {
        guard let before = known?.dates.thisUpdate, let now = dates.thisUpdate else { return false }
        return now < before
    }
}

extension ResourceDates {
    fileprivate var text: String {
        (thisUpdate.map { "from \($0) " } ?? "") + (nextUpdate.map { "to \($0)" } ?? "")
    }
}

extension TrustResource.Kind {
    fileprivate var text: String {
        switch self {
        case .issuer: "a certificate in DER or a certs-only PKCS #7"
        case .crl: "a CRL in DER"
        case .ocsp: "an OCSP response in DER"
        }
    }
}
