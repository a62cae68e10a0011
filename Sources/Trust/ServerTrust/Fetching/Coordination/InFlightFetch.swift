// SPDX-License-Identifier: Apache-2.0

/// The fetch of one resource with its waiting callers.
struct InFlightFetch {
    /// A suspended caller that waits for the fetch.
    struct Waiter {
        let usesNetwork: Bool
        let continuation: CheckedContinuation<TrustFetchCoordinator.Outcome, Never>

        /// Resumes the caller. Call this once.
        func end(_ outcome: TrustFetchCoordinator.Outcome) { continuation.resume(returning: outcome) }
    }

    enum Stage {
        /// The fetch looks up the resource in the cache.
        case lookingUp
        /// The fetch waits for a free exchange.
        case queued
        case fetching
    }

    /// A number that no other fetch has. It distinguishes late results of an abandoned fetch from the results of its
    /// successor.
    let number: Int
    /// Whether the fetch runs without a waiting caller.
    var isBackground = false
    var stage: Stage
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
    var cacheFailure: TrustResourceCacheError?
}

/// The deadline of a waiting caller or of an exchange.
struct Deadline {
    let resource: TrustResource
    /// The number of the fetch, or the ticket of the waiting caller.
    let number: Int
    let isFetch: Bool
}

// MARK: - Waiting

extension TrustFetchCoordinator {
    func addWaiter(
        _ resource: TrustResource, _ ticket: Int, _ waiter: InFlightFetch.Waiter, by deadline: ContinuousClock.Instant
    ) {
        waiterCount += 1
        schedule(Deadline(resource: resource, number: ticket, isFetch: false), at: deadline)
        if inFlight[resource] != nil {
            statistics.joined += 1
            inFlight[resource]?.waiters[ticket] = waiter
            switch inFlight[resource]?.stage {
            case .queued, .fetching:
                // The cache lookup is over, so a caller that doesn't use the network has its answer.
                if !waiter.usesNetwork {
                    removeWaiter(resource, ticket, TrustFetchError(.fetchNotCached, url: resource.url))
                }
            case .lookingUp, nil: break
            }
            promote(resource)
            return
        }
        lastNumber += 1
        let number = lastNumber
        inFlight[resource] = InFlightFetch(number: number, stage: .lookingUp, waiters: [ticket: waiter])
        guard let cache else { return proceed(resource, number) }
        inFlight[resource]?.task = Task {
            do throws(TrustResourceCacheError) {
                let entry = try await cache.entry(for: resource)
                // Takes the dates from the bytes, not from the cache, which may store different ones.
                var parsed: ParsedResource?
                if let entry { parsed = await self.parse(entry.bytes, resource.kind) }
                self.didLookUp(resource, number, .success(entry), parsed)
            } catch {
                self.didLookUp(resource, number, .failure(error), nil)
            }
        }
    }

    /// Removes one waiting caller. Cancels the fetch with its last caller.
    func removeWaiter(_ resource: TrustResource, _ ticket: Int, _ error: TrustFetchError) {
        guard let waiter = inFlight[resource]?.waiters.removeValue(forKey: ticket) else { return }
        waiterCount -= 1
        waiter.end(fallback(resource, error) ?? .failure(error))
        guard let fetch = inFlight[resource], fetch.waiters.isEmpty, !fetch.isBackground else { return }
        // After its callers' time-outs, a running exchange continues for the next caller. It has its own time-out.
        guard error.code == .fetchCancelled || fetch.stage != .fetching else { return }
        inFlight[resource] = nil
        fetch.task?.cancel()
    }

    /// Ends the fetch and returns its result to all waiting callers.
    func complete(_ resource: TrustResource, _ number: Int, _ result: Outcome) {
        guard let fetch = inFlight[resource], fetch.number == number else { return }
        inFlight[resource] = nil
        waiterCount -= fetch.waiters.count
        var result = result
        if case .failure(let error) = result, let cacheFailure = fetch.cacheFailure {
            let detail = error.detail.isEmpty ? "" : error.detail + "; "
            result = .failure(
                TrustFetchError(error.code, url: error.url, detail: detail + "the cache can't be used: \(cacheFailure)")
            )
        }
        for waiter in fetch.waiters.values { waiter.end(result) }
    }

    /// Returns the resource in memory, if it is still usable, instead of a resource that couldn't be fetched.
    func fallback(_ resource: TrustResource, _ error: TrustFetchError) -> Outcome? {
        guard let held = memory.held(resource), isUsable(held) else { return nil }
        return .success(TrustResourceAnswer(held.entry.bytes, held.contents, .memory, refreshFailure: error))
    }
}

// MARK: - Deadlines

extension TrustFetchCoordinator {
    private func isOver(_ deadline: Deadline) -> Bool {
        guard let fetch = inFlight[deadline.resource] else { return true }
        return deadline.isFetch ? fetch.number != deadline.number : fetch.waiters[deadline.number] == nil
    }

    func schedule(_ deadline: Deadline, at instant: ContinuousClock.Instant) {
        // Removes deadlines of callers that have their answers once they make up most of the queue.
        if deadlines.count > 2 * (waiterCount + inFlight.count) + 1024 { deadlines.removeAll(where: isOver) }
        deadlines.insert(deadline, at: instant)
        guard timer.map({ instant < $0.at }) ?? true else { return }
        startTimer(at: instant)
    }

    private func startTimer(at instant: ContinuousClock.Instant) {
        timer?.task.cancel()
        timer = (
            instant,
            Task { [weak self] in
                do { try await Task.sleep(until: instant, clock: .continuous) } catch { return }
                await self?.fireDeadlines()
            }
        )
    }

    private func fireDeadlines() {
        timer = nil
        while let deadline = deadlines.popFirst(at: .now) {
            guard !isOver(deadline) else { continue }
            let error = TrustFetchError(.fetchTimedOut, url: deadline.resource.url)
            if deadline.isFetch {
                expire(deadline.resource, deadline.number)
            } else {
                removeWaiter(deadline.resource, deadline.number, error)
            }
        }
        if let next = deadlines.next { startTimer(at: next) }
    }

    /// Ends an exchange after its time-out. Cancels its task without awaiting it.
    private func expire(_ resource: TrustResource, _ number: Int) {
        guard let fetch = inFlight[resource], fetch.number == number else { return }
        fetch.task?.cancel()
        fail(
            resource, number,
            TrustFetchError(.fetchTimedOut, url: resource.url, detail: "no answer within \(limits.fetchTimeout)"))
    }
}
