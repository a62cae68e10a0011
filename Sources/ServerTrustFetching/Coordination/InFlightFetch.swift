// SPDX-License-Identifier: Apache-2.0

import ServerTrust

/// One resource on its way, and everybody who waits for it.
struct InFlightFetch {
    /// Somebody who waits.
    struct Waiter {
        let usesNetwork: Bool
        private let continuation: CheckedContinuation<Result<TrustResourceAnswer, TrustResourceError>, Never>

        init(
            usesNetwork: Bool,
            continuation: CheckedContinuation<Result<TrustResourceAnswer, TrustResourceError>, Never>
        ) {
            self.usesNetwork = usesNetwork
            self.continuation = continuation
        }

        /// To be called once.
        func end(_ result: Result<TrustResourceAnswer, TrustResourceError>) { continuation.resume(returning: result) }
    }

    enum Stage {
        /// The cache is being asked.
        case lookingUp
        /// All places are taken.
        case queued
        case fetching
    }

    /// No two inFlight have the same, so that what comes late is told from what comes next.
    let number: Int
    /// Nobody waits, and it goes on all the same.
    var isBackground = false
    var stage: Stage
    var task: Task<Void, Never>?
    var waiters: [Int: Waiter] = [:]
    var cacheFailure: TrustResourceCacheError?
}

/// Whose time is over: a waiter's, or the exchange's own.
struct Deadline {
    let resource: TrustResource
    /// Of the fetch or of the waiter's ticket.
    let number: Int
    let isFetch: Bool
}

// MARK: - Waiting

extension TrustFetchCoordinator {
    func addWaiter(
        _ resource: TrustResource, _ ticket: Int, _ waiter: InFlightFetch.Waiter, by deadline: ContinuousClock.Instant
    ) {
        waiterCount += 1
        setAlarm(Deadline(resource: resource, number: ticket, isFetch: false), at: deadline)
        if inFlight[resource] != nil {
            statistics.joined += 1
            inFlight[resource]?.waiters[ticket] = waiter
            switch inFlight[resource]?.stage {
            case .queued, .fetching:
                // It is past the cache, so who wants the cache alone has the answer.
                if !waiter.usesNetwork {
                    removeWaiter(resource, ticket, TrustResourceError(.notCached, url: resource.url))
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
                // The dates are those in the bytes, not those that the cache may have beside them.
                var parsed: ParsedResource?
                if let entry { parsed = await self.parse(entry.bytes, resource.kind) }
                self.lookedUp(resource, number, .success(entry), parsed)
            } catch {
                self.lookedUp(resource, number, .failure(error), nil)
            }
        }
    }

    /// One of those who wait goes away. The last one to be cancelled takes the fetch along.
    func removeWaiter(_ resource: TrustResource, _ ticket: Int, _ error: TrustResourceError) {
        guard let waiter = inFlight[resource]?.waiters.removeValue(forKey: ticket) else { return }
        waiterCount -= 1
        waiter.end(fallback(resource, error) ?? .failure(error))
        guard let fetch = inFlight[resource], fetch.waiters.isEmpty, !fetch.isBackground else { return }
        // Who has no more time leaves an exchange that has begun to whoever comes next; it has a time-out of its own.
        guard error.reason == .cancelled || fetch.stage != .fetching else { return }
        inFlight[resource] = nil
        fetch.task?.cancel()
    }

    /// Everybody gets the same.
    func complete(_ resource: TrustResource, _ number: Int, _ result: Result<TrustResourceAnswer, TrustResourceError>) {
        guard let fetch = inFlight[resource], fetch.number == number else { return }
        inFlight[resource] = nil
        waiterCount -= fetch.waiters.count
        var result = result
        if case .failure(let error) = result, let cacheFailure = fetch.cacheFailure {
            let detail = error.detail.isEmpty ? "" : error.detail + "; "
            result = .failure(
                TrustResourceError(error.reason, url: error.url, detail: detail + "cache of no use: \(cacheFailure)"))
        }
        for waiter in fetch.waiters.values { waiter.end(result) }
    }

    /// What is there and holds, in the place of what couldn't be fetched.
    func fallback(
        _ resource: TrustResource, _ error: TrustResourceError
    ) -> Result<TrustResourceAnswer, TrustResourceError>? {
        guard let held = memory.held(resource), held.isUsable(at: clock(), tolerance: limits.clockTolerance) else {
            return nil
        }
        return .success(TrustResourceAnswer(held.entry.bytes, held.contents, .memory, refreshFailure: error))
    }
}

// MARK: - Deadlines

extension TrustFetchCoordinator {
    private func isOver(_ deadline: Deadline) -> Bool {
        guard let fetch = inFlight[deadline.resource] else { return true }
        return deadline.isFetch ? fetch.number != deadline.number : fetch.waiters[deadline.number] == nil
    }

    func setAlarm(_ deadline: Deadline, at instant: ContinuousClock.Instant) {
        // Those who have their answer leave their deadlines behind; now and then they are swept out.
        if deadlines.count > 2 * (waiterCount + inFlight.count) + 1024 { deadlines.removeAll(where: isOver) }
        deadlines.insert(deadline, at: instant)
        guard alarm.map({ instant < $0.at }) ?? true else { return }
        wake(at: instant)
    }

    private func wake(at instant: ContinuousClock.Instant) {
        alarm?.task.cancel()
        alarm = (
            instant,
            Task { [weak self] in
                do { try await Task.sleep(until: instant, clock: .continuous) } catch { return }
                await self?.fireDeadlines()
            }
        )
    }

    private func fireDeadlines() {
        alarm = nil
        while let deadline = deadlines.popFirst(at: .now) {
            guard !isOver(deadline) else { continue }
            let error = TrustResourceError(.timedOut, url: deadline.resource.url)
            if deadline.isFetch {
                expire(deadline.resource, deadline.number)
            } else {
                removeWaiter(deadline.resource, deadline.number, error)
            }
        }
        if let next = deadlines.next { wake(at: next) }
    }

    /// An exchange has had its time. It is told to stop, and nobody waits for it to do so.
    private func expire(_ resource: TrustResource, _ number: Int) {
        guard let fetch = inFlight[resource], fetch.number == number else { return }
        fetch.task?.cancel()
        fail(
            resource, number,
            TrustResourceError(.timedOut, url: resource.url, detail: "no answer within \(limits.fetchTimeout)"))
    }
}
