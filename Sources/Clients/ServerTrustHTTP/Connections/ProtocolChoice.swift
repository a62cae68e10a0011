// SPDX-License-Identifier: Apache-2.0

import NIOCore
import PKIX
import ServerTrustNIO

/// The choice between HTTP/1.1 and HTTP/2 for the connections of one key.
///
/// The first connection offers both protocols; others wait until it is settled. Only the server's selection in ALPN (RFC 7301 § 3.2) settles
/// it, which the handshake authenticates. A connection that ends before, for whatever reason, settles nothing, and the next one explores.
///
/// If the server selects HTTP/1.1, that connection is used. Later ones offer both protocols as well, so a server can move to HTTP/2.
/// If it selects HTTP/2, that connection was the one extra handshake: its chain is learned, and the requests go to a client with a
/// ``ChainWall``. Where the wall can't follow the verdict, connections offer HTTP/1.1 alone for a while.
final class ProtocolChoice: Sendable {
    /// The next step of a connection whose TLS hasn't begun.
    enum Step {
        /// Offer only HTTP/1.1. Call ``ProtocolChoice/forgetHTTP1()`` if the server refuses it.
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
        /// It ended without a good verdict or without a selection.
        case none
        /// The server selected HTTP/1.1, or no protocol, which means HTTP/1.1.
        case http1
        /// The server selected HTTP/2. The verdict on it, of that generation of rules; no wall if NIOSSL can't follow.
        case http2(ChainWall?, EvaluatedServer, generation: Int)
    }

    /// The reason for leaving a client of HTTP/2. A connection with the server's own chain decides.
    enum Retreat {
        /// NIOSSL refused the server.
        case refusedByWall
        /// The verdict on the leaf with the candidates was a bad one.
        case refused
    }

    private enum Mode {
        case unknown
        case exploring(Int, [EventLoopPromise<Void>])
        /// The server selects it. Connections offer both protocols, side by side.
        case http1
        /// The wall can't follow. Connections offer HTTP/1.1 alone until then.
        case http1Only(NIODeadline)
        case http2(HTTP2Pool)
    }

    private struct State {
        var mode = Mode.unknown
        var lastExploration = 0
        /// Of all chains that were learned.
        var candidates: [Certificate] = []
        /// The anchor of a wall that has refused a connection; another verdict by the same anchor shows that it can't follow.
        var refusedAnchor: Certificate?
        /// The times of the last retreats.
        var retreats: [NIODeadline] = []
        /// Left, and perhaps in use still.
        var retired: [HTTP2Pool] = []
        /// The time at which a client that waits for SETTINGS was replaced, the last one.
        var lastStall: NIODeadline?
        var isShutDown = false

        func hasRetreatedTooOften(_ now: NIODeadline) -> Bool {
            retreats.count { now < $0 + ProtocolChoice.pause } >= ProtocolChoice.maximumRetreats
        }

        func hasStalledTooOften(_ now: NIODeadline) -> Bool {
            guard retired.count(where: { $0.activity.isStalled }) >= ProtocolChoice.maximumStalled else { return false }
            return lastStall.map { now < $0 + ProtocolChoice.stallPause } ?? false
        }
    }

    /// The time without another try where the wall can't follow.
    private static let pause = TimeAmount.hours(1)
    /// The number of retreats within ``pause`` after which the choice is HTTP/1.1: the server controls their count.
    private static let maximumRetreats = 3
    /// The number of clients that may wait for SETTINGS at a time: only the server can end such a connection. Beyond them there is one for each
    /// ``stallPause``, as the server may be gone without a word.
    private static let maximumStalled = 8
    private static let stallPause = TimeAmount.minutes(10)

    private let isOpen: Bool
    private let state = Locked(State())
    private let makePool: @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool

    /// - Parameters:
    ///   - isOpen: whether there is a choice; otherwise it is HTTP/1.1.
    ///   - makePool: makes a client of HTTP/2 behind a wall.
    init(isOpen: Bool, makePool: @escaping @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool) {
        self.isOpen = isOpen
        self.makePool = makePool
    }

    /// The client of HTTP/2; nil if requests go over HTTP/1.1, or to find out.
    ///
    /// One that has lost a stream, or whose connection gets no SETTINGS, is replaced by another one behind the same wall. It is left when the
    /// requests on it are through.
    var http2: HTTP2Pool? { client(at: .now()) }

    /// ``http2``, at a time.
    func client(at now: NIODeadline) -> HTTP2Pool? {
        let (pool, left) = state.withLock { state -> (HTTP2Pool?, HTTP2Pool?) in
            guard case .http2(let pool) = state.mode else { return (nil, nil) }
            guard pool.activity.isSpent else { return (pool, nil) }
            state.retired.removeAll { $0.activity.hasEnded }
            guard !state.hasStalledTooOften(now), let next = try? makePool(pool.wall, HTTP2Activity()) else {
                return (pool, nil)
            }
            if pool.activity.isStalled { state.lastStall = now }
            state.mode = .http2(next)
            state.retired.append(pool)
            return (next, pool)
        }
        left?.retire()
        return pool
    }

    func nextStep(on eventLoop: any EventLoop, at now: NIODeadline = .now()) -> Step {
        guard isOpen else { return .http1 }
        return state.withLock { state in
            switch state.mode {
            case .http1Only(let end) where now < end: return .http1
            case .http1: return .explore(state.lastExploration)
            case .http2: return .http2
            case .unknown, .http1Only:
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

    /// Ends an exploration. Without effect if it has ended, unless the server has moved from HTTP/1.1 to HTTP/2 since.
    func settle(_ finding: Finding, of exploration: Int, at now: NIODeadline = .now()) {
        let waiting = state.withLock { state -> [EventLoopPromise<Void>] in
            switch (state.mode, finding) {
            case (.exploring(exploration, let waiting), _):
                state.mode = mode(after: finding, &state, now)
                return waiting
            case (.http1, .http2):
                state.mode = mode(after: finding, &state, now)
                return []
            default: return []
            }
        }
        for promise in waiting { promise.succeed(()) }
    }

    private func mode(after finding: Finding, _ state: inout State, _ now: NIODeadline) -> Mode {
        // It is about the chain that the next connection shows. If that one comes to nothing, another server may have answered before.
        let refusedAnchor = state.refusedAnchor
        state.refusedAnchor = nil
        switch finding {
        case .none: return .unknown
        case .http1: return .http1
        case .http2(let wall, let server, let generation):
            guard !state.isShutDown else { return .unknown }
            guard let wall, wall.anchor != refusedAnchor, !state.hasRetreatedTooOften(now),
                let pool = try? makePool(wall, HTTP2Activity(server, generation: generation))
            else { return .http1Only(now + Self.pause) }
            state.candidates = wall.candidates
            return .http2(pool)
        }
    }

    /// A server refuses HTTP/1.1. The next connection explores, and HTTP/2 may be tried as if for the first time.
    /// - Returns: false if there is no choice.
    func forgetHTTP1() -> Bool {
        state.withLock { state in
            if case .http1Only = state.mode { (state.mode, state.retreats) = (.unknown, []) }
        }
        return isOpen
    }

    /// The wall for a server; nil if NIOSSL can't follow the verdict.
    func wall(for server: EvaluatedServer) -> ChainWall? {
        ChainWall(server, known: state.withLock { $0.candidates })
    }

    /// Leaves a client of HTTP/2, whose requests go on. The next connection explores again.
    func retreat(from pool: HTTP2Pool, _ reason: Retreat, at now: NIODeadline = .now()) {
        state.withLock { state in
            guard case .http2(let current) = state.mode, current === pool else { return }
            if reason == .refusedByWall { state.refusedAnchor = pool.wall.anchor }
            state.retreats = Array(state.retreats.suffix(Self.maximumRetreats - 1)) + [now]
            state.mode = .unknown
            state.retired.removeAll { $0.activity.hasEnded }
            state.retired.append(pool)
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
            state.mode = .unknown
            return state.retired + [pool]
        }
        return pools.map { $0.shutDown() }
    }
}
