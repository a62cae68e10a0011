// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The choice between HTTP/1.1 and HTTP/2 for the connections of one key.
///
/// The first connection offers both protocols. The others wait until the choice is settled. Only the server's ALPN
/// selection (RFC 7301 § 3.2) settles it, because the handshake authenticates the selection. A connection that ends
/// earlier, for whatever reason, settles nothing, and the next one explores.
///
/// If the server selects HTTP/1.1, the client uses that connection. Later connections also offer both protocols, so a
/// server can move to HTTP/2. If the server selects HTTP/2, that connection was the one extra handshake. The client
/// learns the server's chain from it and sends requests through an HTTP/2 client with a ``ChainWall``. If NIOSSL can't
/// reproduce the verdict, or if a callback has to answer the server's request for a certificate, connections only offer
/// HTTP/1.1 for a while.
///
/// Either way, the connection that replaces the extra one takes over its verdict. So a source that asks a person asks
/// once.
final class ProtocolChoice: Sendable {
    /// The next step of a connection before TLS.
    enum Step {
        /// Offer only HTTP/1.1. Call ``ProtocolChoice/forgetHTTP1()`` if the server refuses it.
        case http1
        /// Offer both protocols, and report the result with ``ProtocolChoice/settle(_:of:)``.
        case explore(Int)
        /// Another connection explores. Take the next step when the future completes.
        case wait(EventLoopFuture<Void>)
        /// Abandon the connection. Requests go to the HTTP/2 client.
        case http2
    }

    /// The result of an exploring connection.
    enum Finding {
        /// The connection ended without a verdict or without a selection.
        case none
        /// The server is refused, and so are the connections that wait.
        case refused(ExplorationRefused)
        /// The server selected HTTP/1.1, or no protocol, which means HTTP/1.1.
        case http1
        /// The server selected HTTP/2. The wall is nil if NIOSSL can't reproduce the verdict, or if the server requests a
        /// certificate from a callback.
        case http2(ChainWall?, EvaluatedServer)
    }

    /// The reason for leaving an HTTP/2 client. The client then evaluates the server's own chain on another connection.
    enum Retreat {
        /// NIOSSL refused the server.
        case refusedByWall
        /// The leaf received a bad verdict with the candidates.
        case refused
        /// The server requests a certificate from a callback.
        case certificateRequested
    }

    private enum Mode {
        case unknown
        case exploring(Int, [EventLoopPromise<Void>])
        /// The server selects HTTP/1.1. Connections offer both protocols, in parallel.
        case http1
        /// NIOSSL can't reproduce the verdict, or the server requests a certificate. Connections only offer HTTP/1.1
        /// until the deadline.
        case http1Only(NIODeadline)
        case http2(HTTP2Pool)
    }

    private struct State {
        var mode = Mode.unknown
        var lastExploration = 0
        /// The intermediates of all learned chains.
        var candidates: [Certificate] = []
        /// The anchor of a wall that refused a connection. Another verdict with the same anchor shows that NIOSSL can't
        /// reproduce it.
        var refusedAnchor: Certificate?
        /// The verdict for the next connection that only offers HTTP/1.1.
        var first: FirstVerdict?
        /// The times of the last retreats.
        var retreats: [NIODeadline] = []
        /// The clients that receive no more requests but may still be in use.
        var retired: [HTTP2Pool] = []
        /// The last time that a client waiting for SETTINGS was replaced.
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

    /// The time until the next try if NIOSSL can't reproduce the verdict.
    private static let pause = TimeAmount.hours(1)
    /// The number of retreats within ``pause`` after which the choice is HTTP/1.1. The limit is there because servers
    /// control the number.
    private static let maximumRetreats = 3
    /// The number of clients that may wait for SETTINGS at the same time. Only the server can end such a connection.
    /// Above this number, one more client is allowed in each ``stallPause``, because the server may have disappeared
    /// silently.
    private static let maximumStalled = 8
    private static let stallPause = TimeAmount.minutes(10)

    private let isOpen: Bool
    private let state = Locked(State())
    private let makePool: @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool

    /// - Parameters:
    ///   - isOpen: whether there is a choice. If not, the protocol is HTTP/1.1.
    ///   - makePool: creates an HTTP/2 client behind a wall.
    init(isOpen: Bool, makePool: @escaping @Sendable (ChainWall, HTTP2Activity) throws -> HTTP2Pool) {
        self.isOpen = isOpen
        self.makePool = makePool
    }

    /// The HTTP/2 client. Nil if requests use HTTP/1.1, or have to explore.
    ///
    /// A client that has lost a stream, or whose connection receives no SETTINGS, is replaced by another client behind
    /// the same wall. The old client ends when its requests are complete.
    var http2: HTTP2Pool? { client(at: .now()) }

    /// The client ``http2`` at a given time.
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

    /// Returns the verdict from the exploring connection, for the HTTP/1.1 connection that replaces it. See
    /// ``FirstVerdict``.
    func takeFirst(_ chain: PresentedChain, _ revision: TrustRevision) -> EvaluatedServer? {
        state.withLock { $0.first.take(chain, revision) }
    }

    /// Ends an exploration. This has no effect if it has already ended, unless the server has moved from HTTP/1.1 to
    /// HTTP/2 since.
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
        for promise in waiting {
            if case .refused(let refusal) = finding { promise.fail(refusal) } else { promise.succeed(()) }
        }
    }

    private func mode(after finding: Finding, _ state: inout State, _ now: NIODeadline) -> Mode {
        // The refused anchor only applies to the chain of the next connection. If that connection ends without a
        // result, a different server may have answered the earlier one.
        let refusedAnchor = state.refusedAnchor
        state.refusedAnchor = nil
        switch finding {
        case .none, .refused: return .unknown
        case .http1: return .http1
        case .http2(let wall, let server):
            guard !state.isShutDown else { return .unknown }
            guard let wall, wall.anchor != refusedAnchor, !state.hasRetreatedTooOften(now),
                let pool = try? makePool(wall, HTTP2Activity(server))
            else {
                state.first = FirstVerdict(server)
                return .http1Only(now + Self.pause)
            }
            state.candidates = wall.candidates
            return .http2(pool)
        }
    }

    /// Records that a server refuses HTTP/1.1. The next connection explores, and may try HTTP/2 as if for the first
    /// time.
    /// - Returns: false if there is no choice.
    func forgetHTTP1() -> Bool {
        state.withLock { state in
            if case .http1Only = state.mode { (state.mode, state.retreats) = (.unknown, []) }
        }
        return isOpen
    }

    /// Returns the wall for a server. Nil if NIOSSL can't reproduce the verdict.
    func wall(for server: EvaluatedServer) -> ChainWall? {
        ChainWall(server, known: state.withLock { $0.candidates })
    }

    /// Stops using an HTTP/2 client. Its running requests continue, and the next connection explores again.
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

    /// Shuts down all HTTP/2 clients.
    /// - Returns: futures that complete when the clients have ended.
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

#endif
