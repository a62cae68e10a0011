// SPDX-License-Identifier: Apache-2.0

import PKIX

@testable import ServerTrust

/// Returns answers from a table and counts requests.
final class CannedFetcher: TrustFetcher {
    enum Answer: Sendable {
        case bytes([UInt8], maximumAge: Duration? = nil)
        case failure(ErrorCode)
        /// Answers after this time, or ends early if it is canceled.
        case slow(Duration, [UInt8])
        /// Doesn't answer until ``CannedFetcher/release()``, even if it is canceled.
        case deaf
        /// Answers when ``CannedFetcher/release()`` is called, or ends early if it is canceled.
        case held([UInt8])
    }

    private struct State {
        var answers: [String: Answer] = [:]
        var requests: [TrustFetchRequest] = []
        var running = 0
        var mostRunning = 0
        var cancelled = 0
        var held: [CheckedContinuation<Void, Never>] = []
        /// The number of requests that are counted but don't wait yet, and the number of those that don't have to wait.
        var arriving = 0
        var passing = 0
    }

    private let state = Locked(State())

    init(_ answers: [String: Answer] = [:]) { state.withLock { $0.answers = answers } }

    subscript(url: String) -> Answer? {
        get { state.withLock { $0.answers[url] } }
        set { state.withLock { $0.answers[url] = newValue } }
    }

    var requests: [TrustFetchRequest] { state.withLock { $0.requests } }
    var count: Int { requests.count }
    var mostRunning: Int { state.withLock { $0.mostRunning } }
    var cancelled: Int { state.withLock { $0.cancelled } }
    func count(of url: String) -> Int { requests.count { $0.url == url } }

    /// Ends all requests that wait or ignore cancellation, including those that are counted but don't wait yet.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.passing = state.arriving
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    private func hold() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                state.arriving -= 1
                guard state.passing > 0 else {
                    state.held.append(continuation)
                    return false
                }
                state.passing -= 1
                return true
            }
            if passes { continuation.resume() }
        }
    }

    func fetch(_ request: TrustFetchRequest) async throws(TrustFetchError) -> TrustFetchResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            state.running += 1
            state.mostRunning = max(state.mostRunning, state.running)
            switch state.answers[request.url] {
            case .deaf, .held: state.arriving += 1
            default: break
            }
            return state.answers[request.url]
        }
        defer { state.withLock { $0.running -= 1 } }
        switch answer {
        case nil: throw TrustFetchError(.fetchStatus, url: request.url, detail: "404")
        case .bytes(let bytes, let age): return TrustFetchResponse(body: bytes, maximumAge: age)
        case .failure(let code): throw TrustFetchError(code, url: request.url)
        case .slow(let duration, let bytes):
            do { try await Task.sleep(for: duration) } catch { throw cancellation(of: request) }
            return TrustFetchResponse(body: bytes)
        case .deaf:
            await hold()
            return TrustFetchResponse(body: [])
        case .held(let bytes):
            await withTaskCancellationHandler {
                await hold()
            } onCancel: {
                release()
            }
            if Task.isCancelled { throw cancellation(of: request) }
            return TrustFetchResponse(body: bytes)
        }
    }

    private func cancellation(of request: TrustFetchRequest) -> TrustFetchError {
        state.withLock { $0.cancelled += 1 }
        return TrustFetchError(.fetchCancelled, url: request.url)
    }
}

/// A cache in a dictionary that fails while a test marks it as broken.
final class DictionaryCache: TrustResourceCache {
    private let entries = Locked<[TrustResource: TrustResourceEntry]>([:])
    private let isBroken = Locked(false)
    /// The duration of a write.
    private let delay: Duration

    init(delay: Duration = .zero) { self.delay = delay }

    var count: Int { entries.withLock { $0.count } }
    func breakDown() { isBroken.withLock { $0 = true } }

    private func check() throws(TrustResourceCacheError) {
        if isBroken.withLock({ $0 }) { throw TrustResourceCacheError(cache: "test", detail: "broken") }
    }

    func entry(for resource: TrustResource) async throws(TrustResourceCacheError) -> TrustResourceEntry? {
        try check()
        return entries.withLock { $0[resource] }
    }

    func store(_ entry: TrustResourceEntry) async throws(TrustResourceCacheError) {
        try check()
        if delay > .zero { try? await Task.sleep(for: delay) }
        entries.withLock { $0[entry.resource] = entry }
    }

    func remove(_ resource: TrustResource) async throws(TrustResourceCacheError) {
        try check()
        entries.withLock { $0[resource] = nil }
    }
}

/// Clocks that tests set: the date, and the monotonic time for back-off.
final class Clocks: Sendable {
    private let state = Locked((date: Time(secondsSinceEpoch: 1000), elapsed: Duration.zero))

    var date: Time {
        get { state.withLock { $0.date } }
        set { state.withLock { $0.date = newValue } }
    }

    var elapsed: Duration { state.withLock { $0.elapsed } }

    func wait(_ seconds: Int64) {
        state.withLock { state in
            state.date = state.date.advanced(by: seconds)
            state.elapsed += .seconds(seconds)
        }
    }
}

/// Resources whose bytes are strings with their dates: `100 200` was created at 100 and is valid until 200. `100`
/// doesn't state an end.
struct ResourceScene {
    static let url = "http://crl.example.com/ca.crl"
    static let crl = TrustResource(.crl, url: url)

    let fetcher = CannedFetcher()
    let clocks = Clocks()
    let resources: TrustFetchCoordinator

    init(
        cache: (any TrustResourceCache)? = nil, limits: TrustResourceLimits = .patient,
        fetchable: Set<TrustResource.Kind> = [.crl, .issuer, .ocsp], refreshesAhead: Bool = false
    ) {
        let clocks = clocks
        self.resources = TrustFetchCoordinator(
            fetcher: fetcher, cache: cache, fetchable: fetchable, limits: limits, refreshesAhead: refreshesAhead,
            clock: { clocks.date }, reader: Self.reader, elapsed: { clocks.elapsed }, chance: { 0 })
    }

    static let reader = ResourceReader { bytes, _ in
        let numbers = String(decoding: bytes, as: UTF8.self).split(separator: " ").map { Int64($0) }
        guard let first = numbers.first, let first else { return nil }
        return ParsedResource(
            contents: nil,
            dates: ResourceDates(
                thisUpdate: Time(secondsSinceEpoch: first),
                nextUpdate: numbers.dropFirst().first?.map { Time(secondsSinceEpoch: $0) }))
    }

    static func bytes(_ from: Int64, _ to: Int64? = nil) -> [UInt8] {
        Array(("\(from)" + (to.map { " \($0)" } ?? "")).utf8)
    }

    /// The bytes, or the reason why there aren't any.
    func ask(_ resource: TrustResource = crl, usingNetwork: Bool = true) async -> Outcome {
        do throws(TrustFetchError) {
            let answer = try await resources.outcome(for: resource, usingNetwork: usingNetwork).get()
            return .found(answer.bytes, answer.source, refreshFailure: answer.refreshFailure?.code)
        } catch {
            return .missing(error.code)
        }
    }

    enum Outcome: Hashable, Sendable {
        case found([UInt8], TrustResource.Source, refreshFailure: ErrorCode? = nil)
        case missing(ErrorCode)
    }
}

/// Waits at most 10 seconds until a condition on other threads is met.
/// - Returns: Whether the condition was met.
func eventually(_ condition: @Sendable () async -> Bool) async -> Bool {
    for _ in 0..<5000 {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

extension TrustResourceLimits {
    /// Limits with deadlines that even a busy machine meets, for tests of anything except deadlines.
    static var patient: TrustResourceLimits {
        var limits = TrustResourceLimits()
        limits.fetchTimeout = .seconds(60)
        limits.evaluationTimeout = .seconds(120)
        return limits
    }
}
