// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrustNIO

/// The choice between HTTP/1.1 and HTTP/2 for the connections of one key.
///
/// The first connection offers both protocols; others wait until it is settled. If the server selects HTTP/1.1, that connection is used. If it
/// selects HTTP/2, that connection was the one extra handshake: its chain is learned, and the requests go to a client with a ``ChainWall``.
/// A key for which the wall can't follow the verdict stays with HTTP/1.1.
final class ProtocolChoice: Sendable {
    /// The next step of a connection whose TLS hasn't begun.
    enum Step {
        /// Offer HTTP/1.1 alone.
        case http1
        /// Offer both protocols, and report the finding by ``ProtocolChoice/settle(_:of:)``.
        case explore(Int)
        /// Another connection explores. Take the next step when this is there.
        case wait(EventLoopFuture<Void>)
        /// Not this way: requests go to the client of HTTP/2.
        case http2
    }

    /// The result of an exploring connection.
    enum Finding {
        /// It didn't come to a good verdict.
        case none
        /// The server didn't select HTTP/2, or the wall can't follow.
        case http1
        /// The server speaks HTTP/2; the verdict on it, of that generation of rules.
        case http2(ChainWall, EvaluatedServer, generation: Int)
    }

    /// The reason for leaving a client of HTTP/2.
    enum Retreat {
        /// NIOSSL refused the server. A connection with the server's own chain decides.
        case refusedByWall
        /// The verdict on the leaf with the candidates was a bad one. A connection with the server's own chain decides.
        case refused
        /// No connection came up within the time for connecting.
        case stalled
    }

    private enum Mode {
        case unknown
        case exploring(Int, [EventLoopPromise<Void>])
        /// Until then.
        case http1(NIODeadline)
        case http2(HTTP2Pool)
    }

    private struct State {
        var mode: Mode
        var lastExploration = 0
        /// Of all chains that were learned.
        var candidates: [Certificate] = []
        /// The anchor of a wall that has refused a connection; another verdict by the same anchor shows that it can't follow.
        var refusedAnchor: Certificate?
        var retreats = RetreatBudget()
        /// Left, and perhaps in use still.
        var retired: [HTTP2Pool] = []
        var isShutDown = false

        mutating func retire(_ pool: HTTP2Pool) {
            retired.removeAll { $0.isOver }
            retired.append(pool)
        }
    }

    private let state: Locked<State>
    private let makePool: @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool

    /// - Parameters:
    ///   - isOpen: whether there is a choice; otherwise it is HTTP/1.1.
    ///   - makePool: makes a client of HTTP/2 behind a wall.
    init(isOpen: Bool, makePool: @escaping @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool) {
        self.state = Locked(State(mode: isOpen ? .unknown : .http1(.distantFuture)))
        self.makePool = makePool
    }

    /// The client of HTTP/2; nil if requests go over HTTP/1.1, or to find out.
    ///
    /// One that has lost a stream is replaced by another one behind the same wall: it is left when the requests on it are through.
    var http2: HTTP2Pool? {
        let (pool, left) = state.withLock { state -> (HTTP2Pool?, HTTP2Pool?) in
            guard case .http2(let pool) = state.mode else { return (nil, nil) }
            guard pool.activity.hasLostStream, let next = try? makePool(pool.wall, HTTP2Activity()) else {
                return (pool, nil)
            }
            state.mode = .http2(next)
            state.retire(pool)
            return (next, pool)
        }
        left?.retire()
        return pool
    }

    func nextStep(on eventLoop: any EventLoop) -> Step {
        state.withLock { state in
            switch state.mode {
            case .http1(let end) where .now() < end: return .http1
            case .http2: return .http2
            case .unknown, .http1:
                state.lastExploration += 1
                state.mode = .exploring(state.lastExploration, [])
                return .explore(state.lastExploration)
            case .exploring(let number, let waiting):
                let promise = eventLoop.makePromise(of: Void.self)
                state.mode = .exploring(number, waiting + [promise])
                return .wait(promise.futureResult)
            }
        }
    }

    /// Ends an exploration; without effect if it has ended.
    func settle(_ finding: Finding, of exploration: Int) {
        let waiting = state.withLock { state -> [EventLoopPromise<Void>] in
            guard case .exploring(exploration, let waiting) = state.mode else { return [] }
            state.mode = mode(after: finding, &state)
            return waiting
        }
        for promise in waiting { promise.succeed(()) }
    }

    private func mode(after finding: Finding, _ state: inout State) -> Mode {
        switch finding {
        case .none: return .unknown
        case .http1: return .http1(.distantFuture)
        case .http2(let wall, let server, let generation):
            guard !state.isShutDown, wall.anchor != state.refusedAnchor,
                let pool = try? makePool(wall, HTTP2Activity(server, generation: generation))
            else { return .http1(.distantFuture) }
            state.candidates = wall.candidates
            return .http2(pool)
        }
    }

    /// The wall for a server; nil if NIOSSL can't follow the verdict.
    func wall(for server: EvaluatedServer) -> ChainWall? {
        ChainWall(server, known: state.withLock { $0.candidates })
    }

    /// Leaves a client of HTTP/2, whose requests go on. The next connection explores again, or uses HTTP/1.1 for a while if that came about too
    /// often: the server controls the count.
    func retreat(from pool: HTTP2Pool, _ reason: Retreat) {
        state.withLock { state in
            guard case .http2(let current) = state.mode, current === pool else { return }
            if reason == .refusedByWall { state.refusedAnchor = pool.wall.anchor }
            let end = state.retreats.spend(reason, at: .now())
            state.mode = end.map { .http1($0) } ?? .unknown
            state.retire(pool)
        }
        pool.retire()
    }

    /// Shuts all clients of HTTP/2 down.
    /// - Returns: when each has ended.
    func shutDown() -> [EventLoopFuture<Void>] {
        let pools = state.withLock { state -> [HTTP2Pool] in
            state.isShutDown = true
            defer { state.retired = [] }
            guard case .http2(let pool) = state.mode else { return state.retired }
            state.mode = .http1(.distantFuture)
            return state.retired + [pool]
        }
        return pools.map { $0.shutDown() }
    }
}

/// The number of times that a client of HTTP/2 may be left for another one: three in an hour.
///
/// A connection whose server sends no SETTINGS stays open until the server closes it, so after eight of those it is HTTP/1.1 for good.
struct RetreatBudget {
    private var start = NIODeadline.distantPast
    private var count = 0
    private var stalls = 0

    /// - Returns: the end of the time with HTTP/1.1; nil if the budget isn't used up.
    mutating func spend(_ reason: ProtocolChoice.Retreat, at now: NIODeadline) -> NIODeadline? {
        if now >= start + .hours(1) { (start, count) = (now, 0) }
        count += 1
        if reason == .stalled { stalls += 1 }
        guard stalls <= 8 else { return .distantFuture }
        return count <= 3 ? nil : start + .hours(1)
    }
}
