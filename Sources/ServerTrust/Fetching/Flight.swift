// SPDX-License-Identifier: Apache-2.0

/// One resource on its way, and everybody who waits for it.
struct Flight {
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

    /// No two flights have the same, so that what comes late is told from what comes next.
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
    /// Of the flight or of the waiter's ticket.
    let number: Int
    let isFlight: Bool
}

// MARK: - Waiting

extension TrustResources {
    func join(_ resource: TrustResource, _ ticket: Int, _ waiter: Flight.Waiter, by deadline: ContinuousClock.Instant) {
        waiterCount += 1
        setAlarm(Deadline(resource: resource, number: ticket, isFlight: false), at: deadline)
        if flights[resource] != nil {
            statistics.joined += 1
            flights[resource]?.waiters[ticket] = waiter
            switch flights[resource]?.stage {
            case .queued, .fetching:
                // It is past the cache, so who wants the cache alone has the answer.
                if !waiter.usesNetwork { leave(resource, ticket, TrustResourceError(.notCached, url: resource.url)) }
            case .lookingUp, nil: break
            }
            promote(resource)
            return
        }
        lastNumber += 1
        let number = lastNumber
        flights[resource] = Flight(number: number, stage: .lookingUp, waiters: [ticket: waiter])
        guard let cache else { return proceed(resource, number) }
        flights[resource]?.task = Task {
            do throws(TrustResourceCacheError) {
                let entry = try await cache.entry(for: resource)
                // The dates are read from the bytes, whatever the cache may say beside them.
                var dates: ResourceDates?
                if let entry { dates = await self.dates(of: entry.bytes, resource.kind) }
                self.lookedUp(resource, number, .success(entry), dates)
            } catch {
                self.lookedUp(resource, number, .failure(error), nil)
            }
        }
    }

    /// One of those who wait goes away. The last one to be cancelled takes the flight along.
    func leave(_ resource: TrustResource, _ ticket: Int, _ error: TrustResourceError) {
        guard let waiter = flights[resource]?.waiters.removeValue(forKey: ticket) else { return }
        waiterCount -= 1
        waiter.end(fallback(resource, error) ?? .failure(error))
        guard let flight = flights[resource], flight.waiters.isEmpty, !flight.isBackground else { return }
        // Who has no more time leaves an exchange that has begun to whoever comes next; it has a time-out of its own.
        guard error.reason == .cancelled || flight.stage != .fetching else { return }
        flights[resource] = nil
        flight.task?.cancel()
    }

    /// Everybody gets the same.
    func land(_ resource: TrustResource, _ number: Int, _ result: Result<TrustResourceAnswer, TrustResourceError>) {
        guard let flight = flights[resource], flight.number == number else { return }
        flights[resource] = nil
        waiterCount -= flight.waiters.count
        var result = result
        if case .failure(let error) = result, let cacheFailure = flight.cacheFailure {
            let detail = error.detail.isEmpty ? "" : error.detail + "; "
            result = .failure(
                TrustResourceError(error.reason, url: error.url, detail: detail + "cache of no use: \(cacheFailure)"))
        }
        for waiter in flight.waiters.values { waiter.end(result) }
    }

    /// What is there and holds, in the place of what couldn't be fetched.
    func fallback(
        _ resource: TrustResource, _ error: TrustResourceError
    ) -> Result<TrustResourceAnswer, TrustResourceError>? {
        guard let held = memory.held(resource), held.isUsable(at: clock(), tolerance: limits.clockTolerance) else {
            return nil
        }
        return .success(TrustResourceAnswer(held.entry.bytes, .memory, refreshFailure: error))
    }
}

// MARK: - Deadlines

extension TrustResources {
    private func isOver(_ deadline: Deadline) -> Bool {
        guard let flight = flights[deadline.resource] else { return true }
        return deadline.isFlight ? flight.number != deadline.number : flight.waiters[deadline.number] == nil
    }

    func setAlarm(_ deadline: Deadline, at instant: ContinuousClock.Instant) {
        // Those who have their answer leave their deadlines behind; now and then they are swept out.
        if deadlines.count > 2 * (waiterCount + flights.count) + 1024 { deadlines.removeAll(where: isOver) }
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
                await self?.timesUp()
            }
        )
    }

    private func timesUp() {
        alarm = nil
        while let deadline = deadlines.popFirst(at: .now) {
            guard !isOver(deadline) else { continue }
            let error = TrustResourceError(.timedOut, url: deadline.resource.url)
            if deadline.isFlight {
                expire(deadline.resource, deadline.number)
            } else {
                leave(deadline.resource, deadline.number, error)
            }
        }
        if let next = deadlines.next { wake(at: next) }
    }

    /// An exchange has had its time. It is told to stop, and nobody waits for it to do so.
    private func expire(_ resource: TrustResource, _ number: Int) {
        guard let flight = flights[resource], flight.number == number else { return }
        flight.task?.cancel()
        fail(
            resource, number,
            TrustResourceError(.timedOut, url: resource.url, detail: "no answer within \(limits.fetchTimeout)"))
    }
}
