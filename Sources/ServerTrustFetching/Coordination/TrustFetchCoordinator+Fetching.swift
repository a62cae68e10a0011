// SPDX-License-Identifier: Apache-2.0

import ServerTrust

// The way of one resource: cache, back-off, a place among the concurrent exchanges, the exchange, memory and cache again. Every
// step is one call on the actor; a fetch that was given up meanwhile is told by its number.

extension TrustFetchCoordinator {
    func lookedUp(
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

    /// Parses bytes; nil for too many of them, or another format. Not on the actor: a CRL of many megabytes takes many milliseconds.
    @concurrent
    nonisolated func parse(_ bytes: [UInt8], _ kind: TrustResource.Kind) async -> ParsedResource? {
        bytes.count <= limits.maximumBytes(of: kind) ? reader.parse(bytes, kind) : nil
    }

    /// Nobody has it, so it is to be fetched if it may be.
    func proceed(_ resource: TrustResource, _ number: Int) {
        for (ticket, waiter) in inFlight[resource]?.waiters ?? [:] where !waiter.usesNetwork {
            removeWaiter(resource, ticket, TrustResourceError(.notCached, url: resource.url))
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

    /// Somebody waits now for what was to be done in the background.
    func promote(_ resource: TrustResource) {
        guard let fetch = inFlight[resource], fetch.isBackground, fetch.stage == .queued else { return }
        queues.append(resource, fetch.number)
        startQueued()
    }

    func startQueued() {
        startQueued(in: \.revocation)
        startQueued(in: \.issuers)
        startQueued(in: \.background)
    }

    private func startQueued(in line: WritableKeyPath<FetchQueues, FetchQueue>) {
        while let (resource, number) = queues[keyPath: line].first {
            if let fetch = inFlight[resource], fetch.number == number, fetch.stage == .queued {
                guard running.hasRoom(for: resource.kind, limits) else { return }
                start(resource, number)
            }
            queues[keyPath: line].removeFirst()
        }
    }

    private func start(_ resource: TrustResource, _ number: Int) {
        running.begin(resource.kind, limits)
        statistics.fetches += 1
        statistics.mostConcurrentFetches = max(statistics.mostConcurrentFetches, running.count)
        let request = TrustFetchRequest(
            resource.kind, url: resource.url, body: resource.request,
            maximumBytes: limits.maximumBytes(of: resource.kind),
            maximumRedirects: limits.maximumRedirects, timeout: limits.fetchTimeout)
        setAlarm(
            Deadline(resource: resource, number: number, isFetch: true), at: .now.advanced(by: limits.fetchTimeout))
        inFlight[resource]?.stage = .fetching
        inFlight[resource]?.task = Task {
            var entry: TrustResourceEntry?
            do throws(TrustFetchError) {
                let response = try await self.fetcher.fetch(request)
                let parsed = await self.parse(response.body, resource.kind)
                entry = self.fetched(resource, number, .success(response), parsed)
            } catch {
                entry = self.fetched(resource, number, .failure(error), nil)
            }
            // Everybody has the answer; the place is kept until it is written, so that a slow disk can't pile up what is to be written.
            if let entry, let cache = self.cache {
                self.writes += 1
                do throws(TrustResourceCacheError) { try await cache.store(entry) } catch {
                    self.statistics.cacheFailures += 1
                }
                self.endWrite()
            }
            self.running.end(resource.kind, self.limits)
            self.startQueued()
        }
    }

    private func endWrite() {
        writes -= 1
        guard writes == 0 else { return }
        for waiter in writeWaiters { waiter.resume() }
        writeWaiters = []
    }

    /// Returns when everything that was given out so far is in the cache, or failed to get there. Evaluations don't wait for that; a
    /// program that ends right after one should.
    public func finishWriting() async {
        guard writes > 0 else { return }
        await withCheckedContinuation { writeWaiters.append($0) }
    }

    /// - Returns: what is to be written to the cache.
    private func fetched(
        _ resource: TrustResource, _ number: Int, _ result: Result<TrustFetchResponse, TrustFetchError>,
        _ parsed: ParsedResource?
    ) -> TrustResourceEntry? {
        // Whatever comes after the time-out comes too late.
        guard let fetch = inFlight[resource], fetch.number == number else { return nil }
        let response: TrustFetchResponse
        switch result {
        case .success(let value): response = value
        case .failure(let error):
            fail(resource, number, TrustResourceError(error))
            return nil
        }
        // A transport should have seen to it.
        let maximum = limits.maximumBytes(of: resource.kind)
        guard response.body.count <= maximum else {
            fail(
                resource, number,
                TrustResourceError(
                    .fetch(.tooLarge), url: resource.url,
                    detail: "\(response.body.count) bytes, expected at most \(maximum)"))
            return nil
        }
        guard let parsed else {
            fail(
                resource, number,
                TrustResourceError(
                    .malformed, url: resource.url,
                    detail: "\(response.body.count) bytes that are no \(resource.kind.text)"))
            return nil
        }
        let now = clock()
        let entry = TrustResourceEntry(
            resource: resource, bytes: response.body, fetched: now, maximumAge: response.maximumAge)
        let dates = parsed.dates
        let held = HeldResource(entry, parsed, limits)
        let known = memory.held(resource)
        if isOlder(dates, than: known) {
            let known = known?.dates.thisUpdate.map { ", \($0) is known" } ?? ""
            fail(
                resource, number,
                TrustResourceError(
                    .olderThanKnown, url: resource.url,
                    detail: "of \(dates.thisUpdate.map { "\($0)" } ?? "no date")\(known)"))
            return nil
        }
        let answer = TrustResourceAnswer(response.body, parsed.contents, .network, cacheFailure: fetch.cacheFailure)
        guard held.isUsable(at: now, tolerance: limits.clockTolerance) else {
            // Whoever asks may ask about another date than today's, so it is handed out, but nobody needs it again soon.
            backOff.failed(
                resource,
                TrustResourceError(dates.isAnswer ? .outOfDate : .refused, url: resource.url, detail: dates.text),
                at: elapsed(), random: chance())
            statistics.failures += 1
            complete(
                resource, number,
                fallback(resource, TrustResourceError(.outOfDate, url: resource.url)) ?? .success(answer))
            return nil
        }
        backOff.succeeded(resource)
        keep(held)
        complete(resource, number, .success(answer))
        return entry
    }

    /// Nothing of use came.
    func fail(_ resource: TrustResource, _ number: Int, _ error: TrustResourceError) {
        if error.reason != .cancelled { statistics.failures += 1 }
        backOff.failed(resource, error, at: elapsed(), random: chance())
        complete(resource, number, fallback(resource, error) ?? .failure(error))
    }

    /// Whether somebody serves what was true before. Dates are the issuer's, so a clock that was set wrong changes nothing here;
    /// what the issuer never said is got rid of by ``reject(_:for:because:)``.
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
        case .issuer: "certificate in DER and no certs-only PKCS #7"
        case .crl: "CRL in DER"
        case .ocsp: "OCSP response in DER"
        }
    }
}
