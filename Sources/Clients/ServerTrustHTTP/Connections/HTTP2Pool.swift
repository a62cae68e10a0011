// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import AsyncHTTPClient
import Logging
import NIOCore
import NIOSSL
import PKIX
import ServerTrust
import ServerTrustNIO

/// An HTTP/2 client for one connection key, behind a ``ChainWall``.
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

    /// Creates a client whose connections have the same address, proxy and client certificate as the key's HTTP/1.1
    /// connections.
    convenience init(
        _ wall: ChainWall, _ key: ConnectionKey, _ activity: HTTP2Activity, _ connections: Connections,
        _ configuration: TrustedHTTPConfiguration, group: any EventLoopGroup, logger: Logger
    ) throws {
        var inner = try configuration.http2(root: wall.root, isAnonymous: key.isAnonymous)
        inner.proxy = key.proxy.flatMap { HTTPClient.Configuration.Proxy($0) }
        let name = key.origin.urlName
        let target = key.connectName(overrides: configuration.dnsOverride)
        // SNI and NIOSSL's verification use this name, whatever address the client connects to.
        if target != name { inner.dnsOverride = [name: target.trimmingBrackets] }
        inner.http1_1ConnectionDebugInitializer = { channel in
            guard activity.accepts(isHTTP2: false) else { return channel.refuse(HTTP2Refused()) }
            return connections.verify(channel, for: key, wall, activity, isHTTP2: false)
                .map { activity.connect(channel) }
        }
        inner.http2ConnectionDebugInitializer = { channel in
            guard activity.accepts(isHTTP2: true) else { return channel.refuse(HTTP2Refused()) }
            return HTTP2Guard.watch(channel) { connections.verify($0, for: key, wall, activity, isHTTP2: true) }
                .flatMapThrowing {
                    try configuration.addPings(to: channel)
                    activity.connect(channel)
                }
        }
        inner.http2StreamChannelDebugInitializer = { Connections.prepareStream($0, of: key) }
        let client = HTTPClient(eventLoopGroup: group, configuration: inner, backgroundActivityLogger: logger)
        self.init(wall, client: client, prefix: "https://\(name):\(key.origin.port)", activity: activity)
    }

    // async-http-client treats releasing a client without a shutdown as a programming error.
    deinit { _ = shutDown() }

    /// Shuts down the client when it is no longer in use.
    func retire() { activity.retire { [client, activity] in client.shutdown { _ in activity.didEnd() } } }

    /// Closes the client's connections. Requests on them fail.
    func shutDown() -> EventLoopFuture<Void> {
        // The client ignores a second shutdown.
        activity.end()
        return client.shutdown()
    }

    /// The next step of a failed request.
    enum Failure {
        /// The request fails with this error.
        case final(any Error)
        /// No connection was established, so no part of the request was sent.
        case unconnected
        /// No part of the request was sent, and this isn't the right client for the request.
        case retreat(ProtocolChoice.Retreat)
    }

    /// Returns the next step after a request failed.
    /// - Parameters:
    ///   - start: the time when the client received the request.
    ///   - connections: ``HTTP2Activity/connections`` at that time.
    ///   - limit: the connect timeout.
    func failure(
        after error: any Error, since start: NIODeadline, _ connections: HTTP2Activity.Connections, limit: TimeAmount
    ) -> Failure {
        switch error {
        case is HTTP2Refused: return .retreat(.refused)
        case is ClientCertificateRequested: return .retreat(.certificateRequested)
        case let error as NIOSSLExtraError where error == .failedToValidateHostname: return .retreat(.refusedByWall)
        // This side ended the handshake. An alert from the server or the end of the connection says nothing about the
        // server's chain.
        case NIOSSLError.handshakeFailed
        where ConnectionFailure(ServerRecords(), error, host: nil)?.code == .connectionHandshakeFailed:
            return .retreat(.refusedByWall)
        case is CancellationError: activity.giveUp(after: limit, since: start, connections)
        case let error as HTTPClientError
        where [.deadlineExceeded, .connectTimeout, .cancelled, .getConnectionFromPoolTimeout].contains(error):
            activity.giveUp(after: limit, since: start, connections)
        // A client that has run out of time throws the error of its last connection.
        case _ where .now() >= start + limit: activity.giveUp(after: limit, since: start, connections)
        default:
            activity.failToConnect()
            if error.isEndOfAttempt, activity.connections == connections, connections.open == 0 { return .unconnected }
        }
        return .final(error)
    }
}

extension Error {
    /// Whether a connection ended while it was being established, without a reason.
    fileprivate var isEndOfAttempt: Bool {
        switch self {
        case let error as ConnectionFailure: error.code == .connectionClosed
        case let error as HTTPClientError: error == .remoteConnectionClosed
        case is HTTP2ConnectionError: true
        default: isEndOfConnection
        }
    }
}

/// The error of an HTTP/2 connection whose leaf received no good verdict with the known intermediates.
///
/// The connection was closed, and no part of a request was sent. The client then evaluates the server's own chain on
/// another connection.
struct HTTP2Refused: Error {}

/// The activity of an HTTP/2 client. Its connections and their requests report to it.
final class HTTP2Activity: Sendable {
    private struct State {
        /// The number of requests that wait for a head, plus the number of streams.
        var count = 0
        var isOver = false
        var whenIdle: (@Sendable () -> Void)?
        var first: FirstVerdict?
        var connections: Connections = (open: 0, total: 0)
        /// Whether the connections use HTTP/2. Nil before the first one.
        var isHTTP2: Bool?
        /// The time when the first request began to wait for a connection.
        var waitingSince: NIODeadline?
        var hasLostStream = false
        var isStalled = false
        /// Whether the client is shut down and its connections are closed.
        var hasEnded = false

        /// Returns the closure to call at the end, or nil before the end.
        mutating func takeEnd() -> (@Sendable () -> Void)? {
            guard count == 0, let whenIdle else { return nil }
            self.whenIdle = nil
            isOver = true
            return whenIdle
        }
    }

    /// The numbers of open connections and of connections established so far.
    typealias Connections = (open: Int, total: Int)

    private let state: Locked<State>

    /// - Parameter server: the newly evaluated server of the connection that taught the chain.
    init(_ server: EvaluatedServer) { state = Locked(State(first: FirstVerdict(server))) }

    /// Creates the activity of a client that replaces another one.
    init() { state = Locked(State()) }

    var isOver: Bool { state.withLock { $0.isOver } }

    /// Records that the client has lost a stream.
    ///
    /// Either a request was canceled when it had a stream but hadn't sent a frame, and no other request can use the
    /// stream. Or the server refused a stream.
    func loseStream() { state.withLock { $0.hasLostStream = true } }

    /// Whether the client has lost a stream that its server allows, was refused a stream, or waits for a connection
    /// that isn't established in time.
    var isSpent: Bool { state.withLock { $0.hasLostStream || $0.isStalled } }

    /// Whether the client has waited longer than the connect timeout, and its connection isn't closed.
    var isStalled: Bool { state.withLock { $0.isStalled && !$0.hasEnded } }

    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func didEnd() { state.withLock { $0.hasEnded = true } }

    /// - Returns: false if the client is shut down. In that case, the method adds nothing.
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

    /// Stores a closure to call once, when nothing is in use anymore.
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

    /// Returns the verdict from the exploring connection, for the connection that replaces it. See ``FirstVerdict``.
    func takeFirst(_ chain: PresentedChain, _ revision: TrustRevision, at now: NIODeadline = .now()) -> EvaluatedServer?
    {
        state.withLock { $0.first.take(chain, revision, at: now) }
    }

    /// Whether a connection of a protocol may join the client's connections.
    ///
    /// async-http-client ends the process if a server changes between the protocols within one pool. So the first
    /// connection decides. After another choice of the server, the next client explores again.
    func accepts(isHTTP2: Bool) -> Bool {
        state.withLock { state in
            state.isHTTP2 = state.isHTTP2 ?? isHTTP2
            return state.isHTTP2 == isHTTP2
        }
    }

    var connections: Connections { state.withLock { $0.connections } }

    /// Records a new connection.
    func connect() {
        state.withLock { state in
            state.connections.open += 1
            state.connections.total += 1
            state.waitingSince = nil
        }
    }

    /// Records a new connection until it is closed. Call it when nothing more can prevent the connection's first
    /// request.
    func connect(_ channel: any Channel) {
        connect()
        channel.closeFuture.whenComplete { _ in self.disconnect() }
    }

    private func disconnect() { state.withLock { $0.connections.open -= 1 } }

    /// Records that a connection wasn't established. The next request makes another one.
    func failToConnect() { state.withLock { $0.waitingSince = nil } }

    /// Records that a request that began to wait at `start` has stopped waiting.
    ///
    /// async-http-client waits for the server's SETTINGS without a limit, and so do all its requests. If requests have
    /// waited for a connection during the whole limit, one after the other, the connection won't be established.
    func giveUp(after limit: TimeAmount, since start: NIODeadline, _ connections: Connections) {
        state.withLock { state in
            guard state.connections == connections, connections.open == 0 else { return }
            let since = state.waitingSince ?? start
            state.waitingSince = since
            if .now() >= since + limit { state.isStalled = true }
        }
    }
}

extension Channel {
    /// Closes a connection that can't be used.
    func refuse(_ error: any Error) -> EventLoopFuture<Void> {
        close(promise: nil)
        return eventLoop.makeFailedFuture(error)
    }
}

extension Origin {
    /// The host as written in a URL, without a trailing dot and without a zone.
    var urlName: String {
        if case .ip(let address) = host.kind, address.bytes.count == 16 { "[\(host)]" } else { host.description }
    }
}

extension String {
    /// The string without the brackets around an IPv6 address.
    var trimmingBrackets: String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}

#endif
