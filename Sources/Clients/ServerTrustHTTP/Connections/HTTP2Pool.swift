// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import HTTPRules
import Logging
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// A client of HTTP/2 for one connection key, behind a ``ChainWall``.
final class HTTP2Pool: Sendable {
    let wall: ChainWall
    let client: HTTPClient
    /// `https://NAME:PORT`, for async-http-client.
    let prefix: String
    let activity: HTTP2Activity

    init(_ wall: ChainWall, client: HTTPClient, prefix: String, activity: HTTP2Activity) {
        self.wall = wall
        self.client = client
        self.prefix = prefix
        self.activity = activity
    }

    /// A client for a key whose connections go the same way as those of HTTP/1.1: address, proxy, client certificate.
    convenience init(
        _ wall: ChainWall, _ key: ConnectionKey, _ activity: HTTP2Activity, _ connections: Connections,
        _ configuration: TrustedHTTPConfiguration, group: any EventLoopGroup, logger: Logger
    ) throws {
        var inner = try configuration.http2(root: wall.root, isAnonymous: key.isAnonymous)
        inner.proxy = key.proxy
        let name = key.origin.urlName
        let target = key.connectName(overrides: configuration.dnsOverride)
        // The name goes into SNI and NIOSSL's verification, wherever the connection goes.
        if target != name { inner.dnsOverride = [name: target.trimmingBrackets] }
        inner.http1_1ConnectionDebugInitializer = { channel in
            connections.verify(channel, for: key, wall, activity, isHTTP2: false).map { activity.connect(channel) }
        }
        inner.http2ConnectionDebugInitializer = { channel in
            HTTP2Guard.watch(channel) { connections.verify($0, for: key, wall, activity, isHTTP2: true) }
                .map { activity.connect(channel) }
        }
        inner.http2StreamChannelDebugInitializer = { Connections.prepareStream($0, of: key) }
        let client = HTTPClient(eventLoopGroup: group, configuration: inner, backgroundActivityLogger: logger)
        self.init(wall, client: client, prefix: "https://\(name):\(key.origin.port)", activity: activity)
    }

    // Left without an end, a client would be a programming error.
    deinit { _ = shutDown() }

    /// Shuts the client down when nothing uses it any more.
    func retire() { activity.retire { [client, activity] in client.shutdown { _ in activity.didEnd() } } }

    /// Closes its connections. Requests on them fail.
    func shutDown() -> EventLoopFuture<Void> {
        // The client itself passes over a second shutdown.
        activity.end()
        return client.shutdown()
    }

    /// The next step of a failed request.
    enum Failure {
        /// It fails with this error.
        case final(any Error)
        /// No connection came up: nothing of the request was sent.
        case unconnected
        /// Nothing of the request was sent, and this client isn't the right one.
        case retreat(ProtocolChoice.Retreat)
    }

    /// - Parameters:
    ///   - start: when the request was handed over.
    ///   - connections: ``HTTP2Activity/connections`` at that time.
    ///   - limit: the time for connecting.
    func failure(
        after error: any Error, since start: NIODeadline, _ connections: HTTP2Activity.Connections, limit: TimeAmount
    ) -> Failure {
        switch error {
        case is HTTP2Refused: return .retreat(.refused)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: return .retreat(.refusedByWall)
        // This side ended the handshake. An alert of the server and the end of the connection say nothing about its chain.
        case NIOSSLError.handshakeFailed
        where HandshakeFault(ServerRecords(), error)?.code == .connectionHandshakeFailed:
            return .retreat(.refusedByWall)
        case is CancellationError: activity.giveUp(after: limit, since: start, connections)
        case let error as HTTPClientError
        where [.deadlineExceeded, .connectTimeout, .cancelled, .getConnectionFromPoolTimeout].contains(error):
            activity.giveUp(after: limit, since: start, connections)
        // A client that has run out of time hands over the error of its last connection.
        case _ where .now() >= start + limit: activity.giveUp(after: limit, since: start, connections)
        default:
            activity.failToConnect()
            if error.isEndOfAttempt, activity.connections == connections, connections.open == 0 { return .unconnected }
        }
        return .final(error)
    }
}

extension Error {
    /// Whether a connection that was on its way has ended, without a word about the reason.
    fileprivate var isEndOfAttempt: Bool {
        switch self {
        case let error as ConnectionFailure: error.code == .connectionClosed
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case is HTTP2ConnectionError: true
        default: isEndOfConnection
        }
    }
}

/// The error of an HTTP/2 connection whose leaf got no good verdict with the intermediates that are known. It was closed, and nothing of a
/// request was sent: a connection with the server's own chain decides.
struct HTTP2Refused: Error {}

/// The use of a client of HTTP/2, known to its connections and to the requests on them.
final class HTTP2Activity: Sendable {
    private struct State {
        /// Requests that wait for a head, and streams.
        var count = 0
        var isOver = false
        var whenIdle: (@Sendable () -> Void)?
        var first: (server: EvaluatedServer, generation: Int, end: NIODeadline)?
        var connections = Connections(open: 0, total: 0)
        /// When the first request began to wait for a connection that isn't there.
        var waitingSince: NIODeadline?
        var hasLostStream = false
        var isStalled = false
        /// Whether the client is shut down and its connections are closed.
        var hasEnded = false

        /// The call that is due at the end, if that has come.
        mutating func takeEnd() -> (@Sendable () -> Void)? {
            guard count == 0, let whenIdle else { return nil }
            self.whenIdle = nil
            isOver = true
            return whenIdle
        }
    }

    /// The numbers of connections.
    struct Connections: Equatable {
        var open: Int
        /// Those that have come up so far.
        var total: Int
    }

    private static let firstLifetime = TimeAmount.seconds(5)

    private let state: Locked<State>

    /// - Parameters:
    ///   - server: the server that was evaluated just now, on the connection that the chain was learned from.
    ///   - generation: the one of the rules that it was evaluated by.
    init(_ server: EvaluatedServer, generation: Int) {
        state = Locked(State(first: (server, generation, .now() + Self.firstLifetime)))
    }

    /// For a client that takes the place of another one.
    init() { state = Locked(State()) }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// A request was canceled when it had a stream and hadn't sent a frame, and the stream isn't given to another request; or the server
    /// refused a stream.
    func loseStream() { state.withLock { $0.hasLostStream = true } }

    /// Whether the client has fewer streams than its server allows, was refused one, or waits for a connection that doesn't come up.
    var isSpent: Bool { state.withLock { $0.hasLostStream || $0.isStalled } }

    /// Whether the client has waited for longer than connecting may take, and its connection isn't closed.
    var isStalled: Bool { state.withLock { $0.isStalled && !$0.hasEnded } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func didEnd() { state.withLock { $0.hasEnded = true } }

    /// - Returns: false if the client is shut down, and nothing was added.
    func begin() -> Bool {
        state.withLock { state in
            guard !state.isOver else { return false }
            state.count += 1
            return true
        }
    }

    func finish() {
        let whenIdle = state.withLock { state -> (@Sendable () -> Void)? in
            state.count -= 1
            return state.takeEnd()
        }
        whenIdle?()
    }

    /// Has this called once, when nothing is in use.
    func retire(_ whenIdle: @escaping @Sendable () -> Void) {
        let now = state.withLock { state -> (@Sendable () -> Void)? in
            guard !state.isOver else { return nil }
            state.whenIdle = whenIdle
            return state.takeEnd()
        }
        now?()
    }

    func end() {
        state.withLock { state in
            state.isOver = true
            state.whenIdle = nil
        }
    }

    /// The verdict on the connection that explored, for the one that takes its place: once, for the same chain and rules, and
    /// only while it is new: a connection that comes later is evaluated at its own time.
    func takeFirst(_ chain: PresentedChain, generation: Int, at now: NIODeadline = .now()) -> EvaluatedServer? {
        state.withLock { state in
            defer { state.first = nil }
            guard let first = state.first, first.generation == generation, now < first.end,
                first.server.presentedChain == chain
            else { return nil }
            return first.server
        }
    }

    var connections: Connections { state.withLock { $0.connections } }

    /// A connection is there.
    func connect() {
        state.withLock { state in
            state.connections.open += 1
            state.connections.total += 1
            state.waitingSince = nil
        }
    }

    /// A connection is there, until it is closed. To be called when nothing can keep it from its first request any more.
    func connect(_ channel: any Channel) {
        connect()
        channel.closeFuture.whenComplete { _ in self.disconnect() }
    }

    private func disconnect() { state.withLock { $0.connections.open -= 1 } }

    /// A connection didn't come up. The next request makes another one.
    func failToConnect() { state.withLock { $0.waitingSince = nil } }

    /// A request that began to wait at `start` is given up. async-http-client waits for the server's SETTINGS without a limit, and
    /// all requests with it: if they have waited for a connection for that long, one after the other, it isn't coming.
    func giveUp(after limit: TimeAmount, since start: NIODeadline, _ connections: Connections) {
        state.withLock { state in
            guard state.connections == connections, connections.open == 0 else { return }
            let since = state.waitingSince ?? start
            state.waitingSince = since
            if .now() >= since + limit { state.isStalled = true }
        }
    }
}

extension Origin {
    /// The host as it stands in a URL, without a trailing dot and without a zone.
    var urlName: String {
        if case .ip(let address) = host.kind, address.bytes.count == 16 { "[\(host)]" } else { host.description }
    }
}

extension String {
    /// An IPv6 address without its brackets.
    var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
