// SPDX-License-Identifier: Apache-2.0

import PKIX
import Testing

@testable import ServerTrust

private let bytes = ResourceScene.bytes(900, 5000)

@Suite struct SingleFetchTests {
    @Test("A thousand waiters share one exchange") func aThousandWaitersShareOneExchange() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .held(bytes)
        let outcomes = await withTaskGroup(of: ResourceScene.Outcome.self) { group in
            for _ in 0..<1000 { group.addTask { await scene.ask() } }
            #expect(await eventually { await scene.resources.statistics.joined == 999 })
            scene.fetcher.release()
            return await group.reduce(into: [ResourceScene.Outcome: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(outcomes == [.found(bytes, .network): 1000])
        #expect(scene.fetcher.count == 1)
    }

    @Test("A canceled waiter doesn't end the exchange for the others")
    func aWaiterWhoIsCancelledLeavesTheOthersTheirExchange() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .held(bytes)
        let first = Task { await scene.ask() }
        let second = Task { await scene.ask() }
        #expect(await eventually { scene.fetcher.count == 1 })
        #expect(await eventually { await scene.resources.statistics.joined == 1 })
        first.cancel()
        #expect(await first.value == .missing(.fetchCancelled))
        scene.fetcher.release()
        #expect(await second.value == .found(bytes, .network))
        #expect(scene.fetcher.cancelled == 0)
    }

    @Test("Canceling the last waiter cancels the exchange")
    func theLastWaiterToBeCancelledTakesTheExchangeAlong() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .held(bytes)
        let waiters = [Task { await scene.ask() }, Task { await scene.ask() }]
        #expect(await eventually { await scene.resources.statistics.joined == 1 && scene.fetcher.count == 1 })
        for waiter in waiters { waiter.cancel() }
        for waiter in waiters { #expect(await waiter.value == .missing(.fetchCancelled)) }
        #expect(await eventually { scene.fetcher.cancelled == 1 })
        // The fetch was canceled, which doesn't count as a failure, so there is no back-off.
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask() == .found(bytes, .network))
    }

    @Test("A task that is already canceled fetches nothing") func aTaskThatIsCancelledAlreadyFetchesNothing() async {
        let scene = ResourceScene()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await scene.ask()
        }
        task.cancel()
        #expect(await task.value == .missing(.fetchCancelled))
        #expect(scene.fetcher.count == 0)
    }

    @Test(
        "The number of concurrent exchanges stays within the limit",
        arguments: [(TrustResource.Kind.ocsp, 6), (.issuer, 3)])
    func noMoreExchangesRunAtTheSameTimeThanAllowed(_ kind: TrustResource.Kind, most: Int) async {
        var limits = TrustResourceLimits.patient
        limits.maximumConcurrentFetches = 6
        let scene = ResourceScene(limits: limits)
        let resources = (0..<40).map { TrustResource(kind, url: "http://h\($0).example/") }
        for resource in resources { scene.fetcher[resource.url] = .held(bytes) }
        await withTaskGroup { group in
            for resource in resources {
                group.addTask { #expect(await scene.ask(resource) == .found(bytes, .network)) }
            }
            group.addTask {
                #expect(await eventually { scene.fetcher.count == most })
                _ = await eventually {
                    scene.fetcher.release()
                    return scene.fetcher.count == 40
                }
                scene.fetcher.release()
            }
        }
        #expect(scene.fetcher.mostRunning == most)
        #expect(scene.fetcher.count == 40)
    }

    @Test("Slow issuers don't delay a responder", .timeLimit(.minutes(10)))
    func slowIssuersOfStrangersKeepNobodyFromAResponder() async {
        var limits = TrustResourceLimits.patient
        limits.maximumConcurrentFetches = 4
        let scene = ResourceScene(limits: limits)
        // Three requests fail at the responder's host, and the others are slow.
        for number in 0..<3 {
            let resource = TrustResource(.issuer, url: "http://ocsp.example/\(number)")
            scene.fetcher[resource.url] = .failure(.fetchTimedOut)
            #expect(await scene.ask(resource) == .missing(.fetchTimedOut))
        }
        let strangers = (0..<17).map { number in
            let resource = TrustResource(.issuer, url: "http://slow.example/\(number)")
            scene.fetcher[resource.url] = .deaf
            return Task { await scene.ask(resource) }
        }
        #expect(await eventually { scene.fetcher.count == 5 })
        let responder = TrustResource(.ocsp, url: "http://ocsp.example/")
        scene.fetcher[responder.url] = .bytes(bytes)
        #expect(await scene.ask(responder) == .found(bytes, .network))
        for stranger in strangers { stranger.cancel() }
        for stranger in strangers { _ = await stranger.value }
        scene.fetcher.release()
    }

    @Test(
        "Slow CRLs don't delay a responder by taking up bytes or slots", .timeLimit(.minutes(10)),
        arguments: [(32 << 20, 8), (1 << 10, 12)])
    func slowCRLsKeepNobodyFromAResponder(_ size: Int, most: Int) async {
        var limits = TrustResourceLimits.patient
        limits.maximumCRLBytes = size
        let scene = ResourceScene(limits: limits)
        let lists = (0..<40).map { number in
            let resource = TrustResource(.crl, url: "http://slow.example/\(number)")
            scene.fetcher[resource.url] = .held(bytes)
            return Task { await scene.ask(resource) }
        }
        #expect(await eventually { scene.fetcher.count == most })
        // Further CRLs wait in the queue before the response.
        #expect(await eventually { await scene.resources.queuedCRLs == 40 - most })
        let responder = TrustResource(.ocsp, url: "http://ocsp.example/")
        scene.fetcher[responder.url] = .bytes(bytes)
        #expect(await scene.ask(responder) == .found(bytes, .network))
        #expect(scene.fetcher.count == most + 1)
        for list in lists { list.cancel() }
        for list in lists { _ = await list.value }
        scene.fetcher.release()
    }

    @Test("One slot is reserved for OCSP responses, and no slot is reserved for CRLs", arguments: [1, 2, 16])
    func onePlaceIsForResponsesAlone(_ places: Int) {
        var limits = TrustResourceLimits()
        limits.maximumConcurrentFetches = places
        var running = RunningFetches()
        for kind in TrustResource.Kind.allCases { #expect(running.hasRoom(for: kind, limits)) }
        running.begin(.crl)
        #expect(running.hasRoom(for: .ocsp, limits) == (places > 1))
        #expect(running.hasRoom(for: .crl, limits) == (places > 2))
        #expect(running.hasRoom(for: .issuer, limits) == (places > 2))
        while running.count < places { running.begin(.ocsp) }
        for kind in TrustResource.Kind.allCases { #expect(!running.hasRoom(for: kind, limits)) }
        running.end(.crl)
        #expect(running.hasRoom(for: .crl, limits))
    }

    @Test("Exchanges that could together exceed the byte limit wait in the queue")
    func exchangesThatCouldBringTooMuchTogetherWaitTheirTurn() async {
        var limits = TrustResourceLimits.patient
        limits.maximumBytesInFlight = 2 * limits.maximumCRLBytes - 1
        let scene = ResourceScene(limits: limits)
        await withTaskGroup { group in
            for number in 0..<5 {
                let resource = TrustResource(.crl, url: "http://h\(number).example/")
                scene.fetcher[resource.url] = .slow(.milliseconds(2), bytes)
                group.addTask { #expect(await scene.ask(resource) == .found(bytes, .network)) }
            }
        }
        #expect(scene.fetcher.mostRunning == 1)
    }
}

extension TrustFetchCoordinator {
    /// The CRLs that wait for a slot.
    fileprivate var queuedCRLs: Int { inFlight.count { $0.key.kind == .crl && $0.value.stage == .queued } }
}

@Suite struct DeadlineTests {
    @Test("A fetcher that never ends doesn't block its callers", .timeLimit(.minutes(10)))
    func aFetcherThatNeverEndsKeepsNobodyWaiting() async {
        var limits = TrustResourceLimits.patient
        limits.fetchTimeout = .milliseconds(30)
        let scene = ResourceScene(limits: limits)
        scene.fetcher[ResourceScene.url] = .deaf
        #expect(await scene.ask() == .missing(.fetchTimedOut))
        scene.fetcher.release()
    }

    @Test("An exchange continues after a waiter's timeout, for the next caller", .timeLimit(.minutes(10)))
    func whoHasNoMoreTimeLeavesTheExchangeToWhoComesNext() async {
        var limits = TrustResourceLimits.patient
        limits.evaluationTimeout = .milliseconds(30)
        let scene = ResourceScene(limits: limits)
        scene.fetcher[ResourceScene.url] = .held(bytes)
        #expect(await scene.ask() == .missing(.fetchTimedOut))
        scene.fetcher.release()
        #expect(await eventually { await scene.resources.memoryInUse > 0 })
        #expect(await scene.ask() == .found(bytes, .memory))
        #expect(scene.fetcher.count == 1)
    }

    @Test("Waiting in the queue ends at the evaluation's timeout", .timeLimit(.minutes(10)))
    func waitingForAPlaceEndsWithTheEvaluationsTime() async {
        var limits = TrustResourceLimits.patient
        limits.maximumConcurrentFetches = 1
        limits.evaluationTimeout = .milliseconds(30)
        let scene = ResourceScene(limits: limits)
        scene.fetcher["http://a.example/"] = .deaf
        scene.fetcher["http://b.example/"] = .bytes(bytes)
        let first = Task { await scene.ask(TrustResource(.crl, url: "http://a.example/")) }
        #expect(await eventually { scene.fetcher.count == 1 })
        #expect(await scene.ask(TrustResource(.crl, url: "http://b.example/")) == .missing(.fetchTimedOut))
        #expect(await first.value == .missing(.fetchTimedOut))
        #expect(scene.fetcher.count == 1)
        scene.fetcher.release()
    }

    @Test("Deadlines fire in order") func deadlinesComeInOrder() {
        var queue = DeadlineQueue<Int>()
        let start = ContinuousClock.now
        for number in [5, 3, 9, 1, 7, 2, 8, 0, 6, 4] { queue.insert(number, at: start + .seconds(number)) }
        queue.removeAll { $0 == 3 }
        #expect(queue.popFirst(at: start - .seconds(1)) == nil)
        var order: [Int] = []
        while let next = queue.popFirst(at: start + .seconds(7)) { order.append(next) }
        #expect(order == [0, 1, 2, 4, 5, 6, 7])
        #expect(queue.count == 2)
    }
}

@Suite struct KeepingTests {
    @Test("The coordinator fetches a current response once") func whatHoldsIsFetchedOnce() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask() == .found(bytes, .network))
        scene.clocks.wait(4000)
        #expect(await scene.ask() == .found(bytes, .memory))
        #expect(scene.fetcher.count == 1)
    }

    @Test("The coordinator never uses a response past its next update") func nothingServesPastItsNextUpdate() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await scene.ask()
        scene.clocks.wait(4001)
        scene.fetcher[ResourceScene.url] = .failure(.fetchUnreachable)
        #expect(await scene.ask() == .missing(.fetchUnreachable))
    }

    @Test("The coordinator uses a response without a next update for the server's max-age, at most an hour")
    func anAnswerWithoutNextUpdateServesForAsLongAsTheServerSaysUpToAnHour() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(900), maximumAge: .days(1))
        _ = await scene.ask()
        scene.clocks.wait(3600)
        #expect(await scene.ask() == .found(ResourceScene.bytes(900), .memory))
        scene.clocks.wait(1)
        #expect(await scene.ask() == .found(ResourceScene.bytes(900), .network))
    }

    @Test("The coordinator refetches a long-lived response in time, and continues to use the old one if that fails")
    func whatHoldsForLongIsFetchedAnewInTimeAndServesIfThatFails() async {
        var limits = TrustResourceLimits.patient
        limits.maximumLifetime = .seconds(100)
        let scene = ResourceScene(limits: limits)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await scene.ask()
        scene.clocks.wait(101)
        scene.fetcher[ResourceScene.url] = .failure(.fetchStatus)
        #expect(await scene.ask() == .found(bytes, .memory, refreshFailure: .fetchStatus))
        #expect(await scene.ask() == .found(bytes, .memory, refreshFailure: .fetchBackingOff))
        scene.clocks.wait(10)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1100, 6000))
        #expect(await scene.ask() == .found(ResourceScene.bytes(1100, 6000), .network))
    }

    @Test("An older response never replaces a newer one") func anOlderAnswerNeverTakesThePlaceOfANewerOne() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1000, 1100))
        _ = await scene.ask()
        scene.clocks.wait(101)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(999, 9000))
        #expect(await scene.ask() == .missing(.fetchOlderThanKnown))
        scene.clocks.wait(10)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1000, 9000))
        #expect(await scene.ask() == .found(ResourceScene.bytes(1000, 9000), .network))
    }

    @Test("An older response in the cache never replaces a newer one in memory")
    func anOlderAnswerInTheCacheIsNotTakenEither() async throws {
        let cache = DictionaryCache()
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1000, 1100))
        _ = await scene.ask()
        scene.clocks.wait(101)
        try await cache.store(
            TrustResourceEntry(
                resource: ResourceScene.crl, bytes: ResourceScene.bytes(999, 9000), fetched: scene.clocks.date))
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1050, 9000))
        #expect(await scene.ask() == .found(ResourceScene.bytes(1050, 9000), .network))
    }

    @Test("After the clock is set back, the coordinator doesn't use responses from the future")
    func aClockThatIsSetBackMakesWhatComesFromTheFutureUseless() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await scene.ask()
        scene.clocks.date = Time(secondsSinceEpoch: 1000 - 301)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(900, 4000))
        #expect(await scene.ask() == .found(ResourceScene.bytes(900, 4000), .network))
        #expect(scene.fetcher.count == 2)
        // After the clock is correct again, the answer is fresh from then on.
        scene.clocks.date = Time(secondsSinceEpoch: 1000)
        #expect(await scene.ask() == .found(ResourceScene.bytes(900, 4000), .memory))
    }

    @Test(
        "The coordinator returns an outdated response for other dates but doesn't keep it",
        arguments: [ResourceScene.bytes(500, 600), ResourceScene.bytes(2000, 6000)])
    func whatIsOutOfDateIsHandedOutForOtherDatesAndNotKept(_ bytes: [UInt8]) async {
        let cache = DictionaryCache()
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask() == .found(bytes, .network))
        #expect(await scene.resources.memoryInUse == 0)
        #expect(cache.count == 0)
        // The coordinator doesn't fetch it with every evaluation either.
        #expect(await scene.ask() == .missing(.fetchBackingOff))
    }

    @Test("When its memory is full, the coordinator removes the least recently used responses")
    func theLeastRecentlyUsedGoesWhenMemoryIsFull() {
        var memory = ResourceMemory(capacity: 4000)
        func held(_ name: String, _ count: Int = 400) -> HeldResource {
            HeldResource(
                TrustResourceEntry(
                    resource: TrustResource(.crl, url: name), bytes: Array(repeating: 0, count: count),
                    fetched: Time(secondsSinceEpoch: 0)), ParsedResource(contents: nil, dates: ResourceDates()),
                TrustResourceLimits())
        }
        for name in ["a", "b", "c", "d"] { memory.insert(held(name)) }
        #expect(memory.count == 4)
        _ = memory.held(TrustResource(.crl, url: "a"))
        memory.insert(held("e"))
        #expect(memory.held(TrustResource(.crl, url: "a")) != nil)
        #expect(memory.held(TrustResource(.crl, url: "b")) == nil)
        memory.insert(held("large", 4000))
        #expect(memory.held(TrustResource(.crl, url: "large")) == nil)
        #expect(memory.count == 4)
        for name in ["a", "c", "d", "e"] { memory.remove(TrustResource(.crl, url: name)) }
        #expect(memory.bytes == 0 && memory.count == 0)
        memory.insert(held("f"))
        #expect(memory.held(TrustResource(.crl, url: "f")) != nil)
    }

    @Test("If enabled, the coordinator refreshes a response in the background when it is used late in its lifetime")
    func whatIsUsedLateInItsLifeIsRefreshedInTheBackgroundIfAsked() async {
        let scene = ResourceScene(refreshesAhead: true)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await scene.ask()
        scene.clocks.wait(3199)
        _ = await scene.ask()
        #expect(await scene.resources.statistics.refreshes == 0)
        scene.clocks.wait(1)
        let newer = ResourceScene.bytes(4100, 9000)
        scene.fetcher[ResourceScene.url] = .bytes(newer)
        // The coordinator returns the old answer immediately.
        #expect(await scene.ask() == .found(bytes, .memory))
        #expect(await eventually { await scene.ask() == .found(newer, .memory) })
        #expect(scene.fetcher.count == 2)
    }
}

@Suite struct BackOffTests {
    @Test("A resource's back-off grows with every failure") func aResourceThatFailedIsLeftAloneForLongerEveryTime()
        async
    {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .failure(.fetchStatus)
        for wait in [5, 10, 20, 40, 80, 160, 320, 640, 900, 900] as [Int64] {
            #expect(await scene.ask() == .missing(.fetchStatus))
            scene.clocks.wait(wait - 1)
            #expect(await scene.ask() == .missing(.fetchBackingOff))
            scene.clocks.wait(1)
        }
        #expect(scene.fetcher.count == 10)
        scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(scene.clocks.date.secondsSinceEpoch, 9999))
        _ = await scene.ask()
        #expect(scene.fetcher.count == 11)
    }

    @Test("Setting the clock doesn't end a back-off") func settingTheClockDoesNotEndIt() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .failure(.fetchStatus)
        _ = await scene.ask()
        scene.clocks.date = Time(secondsSinceEpoch: 1_000_000)
        #expect(await scene.ask() == .missing(.fetchBackingOff))
    }

    @Test(
        "A host that fails for three resources is in back-off for all of them",
        arguments: [
            (ErrorCode.fetchUnreachable, true), (.fetchTimedOut, true), (.fetchProtocolViolation, true),
            (.fetchStatus, false),
            (.fetchTooLarge, false), (.fetchForbiddenAddress, false),
        ])
    func aHostThatIsDeadForThreeResourcesIsLeftAloneForAll(_ code: ErrorCode, isOfHost: Bool) async {
        let scene = ResourceScene()
        for number in 0..<3 {
            let resource = TrustResource(.crl, url: "http://Dead.example:8080/\(number)")
            scene.fetcher[resource.url] = .failure(code)
            #expect(await scene.ask(resource) == .missing(code))
        }
        let fourth = TrustResource(.crl, url: "http://dead.example:8080/4")
        scene.fetcher[fourth.url] = .bytes(bytes)
        #expect(await scene.ask(fourth) == (isOfHost ? .missing(.fetchBackingOff) : .found(bytes, .network)))
        let other = TrustResource(.crl, url: "http://dead.example/4")
        scene.fetcher[other.url] = .bytes(bytes)
        #expect(await scene.ask(other) == .found(bytes, .network))
    }

    @Test("The number of remembered failures is bounded") func failuresThatAreRememberedAreBounded() {
        var limits = TrustResourceLimits.patient
        limits.maximumRememberedFailures = 8
        var backOff = BackOff(limits)
        for number in 0..<1000 {
            let resource = TrustResource(.crl, url: "http://h\(number).example/")
            backOff.failed(
                resource, TrustFetchError(.fetchTimedOut, url: resource.url), at: .seconds(number), random: 0.5)
        }
        #expect(backOff.count == 8)
    }

    @Test("Jitter shortens a back-off by at most half") func chanceTakesOffUpToAHalf() {
        let resource = ResourceScene.crl
        let error = TrustFetchError(.fetchMalformed, url: resource.url)
        for (random, wait) in [(0, 5.0), (0.5, 3.75), (1, 2.5)] {
            var backOff = BackOff(TrustResourceLimits())
            backOff.failed(resource, error, at: .zero, random: random)
            #expect(backOff.refusal(of: resource, at: .seconds(wait - 0.001)) != nil)
            #expect(backOff.refusal(of: resource, at: .seconds(wait)) == nil)
        }
    }

    @Test(
        "Hosts have separate back-offs",
        arguments: [
            ("http://a.example/x", "a.example"), ("HTTP://A.Example:80", "a.example:80"),
            ("http://user@b.example?x", "b.example"), ("http://[::1]:8/#", "[::1]:8"), ("nonsense", ""),
        ])
    func hostsAreToldApart(_ url: String, authority: String) {
        #expect(TrustResource(.crl, url: url).authority == authority)
    }
}

@Suite struct HostileAnswerTests {
    @Test("The coordinator refuses a body over the limit even if the transport returns it")
    func aBodyOverTheLimitIsRefusedWhateverTheTransportLetThrough() async {
        var limits = TrustResourceLimits.patient
        limits.maximumCRLBytes = 100
        let scene = ResourceScene(limits: limits)
        scene.fetcher[ResourceScene.url] = .bytes(bytes + Array(repeating: 0x20, count: 100))
        #expect(await scene.ask() == .missing(.fetchTooLarge))
        #expect(scene.fetcher.requests.map(\.maximumBytes) == [100])
    }

    @Test("The coordinator refuses bytes in another format") func bytesThatAreSomethingElseAreRefused() async {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(Array("<html>".utf8))
        #expect(await scene.ask() == .missing(.fetchMalformed))
        #expect(await scene.ask() == .missing(.fetchBackingOff))
    }

    @Test("The coordinator doesn't fetch an overlong address") func anEndlessAddressIsNotFetched() async {
        let scene = ResourceScene()
        let long = TrustResource(.crl, url: "http://a.example/" + String(repeating: "a", count: 5000))
        #expect(await scene.ask(long) == .missing(.fetchUnsupportedAddress))
        #expect(scene.fetcher.count == 0)
    }

    @Test("After finishWriting, all responses are in the cache") func whoWaitsForTheWritingFindsEverythingInTheCache()
        async throws
    {
        let cache = DictionaryCache(delay: .milliseconds(50))
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask() == .found(bytes, .network))
        await scene.resources.finishWriting()
        #expect(cache.count == 1)
        // With no writes in progress, it returns immediately.
        await scene.resources.finishWriting()
    }

    @Test("A response that is rejected while it is being written doesn't stay in the cache")
    func whatIsRefusedWhileItIsWrittenDoesNotStay() async throws {
        let cache = DictionaryCache(delay: .milliseconds(50))
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        let answer = try await scene.resources.outcome(for: ResourceScene.crl).get()
        await scene.resources.reject(answer, for: ResourceScene.crl, because: "wrong signature")
        #expect(cache.count == 0)
    }

    @Test("Rejecting a response removes it from memory and from the cache")
    func whatWasRefusedAfterEvaluationIsForgottenEverywhere() async throws {
        let cache = DictionaryCache()
        let scene = ResourceScene(cache: cache)
        let forged = ResourceScene.bytes(1000, 9000)
        scene.fetcher[ResourceScene.url] = .bytes(forged)
        let answer = try await scene.resources.outcome(for: ResourceScene.crl).get()
        #expect(await eventually { cache.count == 1 })
        await scene.resources.reject(answer, for: ResourceScene.crl, because: "wrong signature")
        #expect(cache.count == 0)
        #expect(await scene.ask() == .missing(.fetchBackingOff))
        // The true answer is older than the forged one claimed to be, but it counts.
        scene.clocks.wait(5)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask() == .found(bytes, .network))
    }

    @Test("After a rejection, the coordinator restores the displaced response once if it is still usable")
    func whatWasDisplacedComesBackOnceAndOnlyAsLongAsItHolds() async throws {
        for (wait, isBack) in [(Int64(0), true), (10_000, false)] {
            let cache = DictionaryCache()
            var limits = TrustResourceLimits.patient
            limits.maximumLifetime = .seconds(100)
            let scene = ResourceScene(cache: cache, limits: limits)
            let genuine = ResourceScene.bytes(900, 5000)
            scene.fetcher[ResourceScene.url] = .bytes(genuine)
            _ = await scene.ask()
            scene.clocks.wait(101)
            scene.fetcher[ResourceScene.url] = .bytes(ResourceScene.bytes(1000, 90_000))
            let forged = try await scene.resources.outcome(for: ResourceScene.crl).get()
            scene.clocks.wait(wait)
            #expect(await scene.resources.reject(forged, for: ResourceScene.crl, because: "forged") == isBack)
            #expect(cache.count == (isBack ? 1 : 0))
            // A second caller with the same answer also rejects it, and learns that another answer is available.
            #expect(await scene.resources.reject(forged, for: ResourceScene.crl, because: "forged") == isBack)
            guard isBack else { continue }
            let back = try await scene.resources.outcome(for: ResourceScene.crl).get()
            #expect(back.bytes == genuine && back.source == .memory)
            #expect(await !scene.resources.reject(back, for: ResourceScene.crl, because: "forged as well"))
            #expect(await scene.resources.memoryInUse == 0)
            #expect(cache.count == 0)
        }
    }

    @Test("The coordinator immediately refetches a kept response that is rejected")
    func whatWasKeptAndRefusedIsFetchedAnewAtOnce()
        async throws
    {
        let scene = ResourceScene()
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await scene.ask()
        let kept = try await scene.resources.outcome(for: ResourceScene.crl).get()
        await scene.resources.reject(kept, for: ResourceScene.crl, because: "wrong signature")
        #expect(await scene.ask() == .found(bytes, .network))
    }
}

@Suite struct CacheTests {
    @Test("The coordinator doesn't refetch a response that another process fetched")
    func whatAnotherProcessFetchedIsNotFetchedAgain() async {
        let cache = DictionaryCache()
        let first = ResourceScene(cache: cache)
        first.fetcher[ResourceScene.url] = .bytes(bytes)
        _ = await first.ask()
        #expect(await eventually { cache.count == 1 })
        let second = ResourceScene(cache: cache)
        #expect(await second.ask() == .found(bytes, .cache))
        #expect(await second.ask() == .found(bytes, .memory))
        #expect(second.fetcher.count == 0)
    }

    @Test(
        "The coordinator doesn't use malformed, expired or future cache entries",
        arguments: [
            ("bytes that are something else", Array("nonsense".utf8), 1000),
            ("an expired answer", ResourceScene.bytes(900, 999), 950), ("an answer from the future", bytes, 2000),
        ])
    func ofTheCacheIsBelieved(nothing name: String, _ kept: [UInt8], _ fetched: Int64) async throws {
        let cache = DictionaryCache()
        try await cache.store(
            TrustResourceEntry(
                resource: ResourceScene.crl, bytes: kept, fetched: Time(secondsSinceEpoch: fetched)))
        let scene = ResourceScene(cache: cache)
        let newer = ResourceScene.bytes(950, 6000)
        scene.fetcher[ResourceScene.url] = .bytes(newer)
        #expect(await scene.ask() == .found(newer, .network))
    }

    @Test("A broken cache causes only a warning") func aBrokenCacheIsToldAndCostsNothingElse()
        async throws
    {
        let cache = DictionaryCache()
        cache.breakDown()
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        let answer = try await scene.resources.outcome(for: ResourceScene.crl).get()
        #expect(answer.bytes == bytes && answer.source == .network)
        #expect(answer.cacheFailure == TrustResourceCacheError(cache: "test", detail: "broken"))
        #expect(await eventually { await scene.resources.statistics.cacheFailures == 2 })
    }

    @Test("Without the network, the coordinator finds only kept responses")
    func withoutTheNetworkOnlyWhatIsKeptIsFound()
        async
    {
        let cache = DictionaryCache()
        let scene = ResourceScene(cache: cache)
        scene.fetcher[ResourceScene.url] = .bytes(bytes)
        #expect(await scene.ask(usingNetwork: false) == .missing(.fetchNotCached))
        #expect(scene.fetcher.count == 0)
        _ = await scene.ask()
        #expect(await scene.ask(usingNetwork: false) == .found(bytes, .memory))
        #expect(await eventually { cache.count == 1 })
        let other = ResourceScene(cache: cache, fetchable: [.issuer])
        #expect(await other.ask() == .found(bytes, .cache))
        #expect(await other.ask(TrustResource(.crl, url: "http://b.example/")) == .missing(.fetchNotCached))
        #expect(other.fetcher.count == 0)
    }
}
