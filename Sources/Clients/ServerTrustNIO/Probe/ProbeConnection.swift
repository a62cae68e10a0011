// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix
import NIOSSL
import PKIX

/// A probe's connection to a server, at the point where TLS begins.
package struct ProbeConnection<Opened: Sendable>: Sendable {
    package let channel: any Channel
    /// The value created when TLS was about to begin.
    package let opened: Opened
    /// The deadline of the probe.
    package let deadline: NIODeadline
    /// The address of the server. Nil if it isn't known, for example behind a proxy.
    package let address: String?
    /// The attempts to connect to the server's addresses. Empty behind a proxy.
    package let attempts: [AddressAttempt]
    fileprivate let timeoutError: ChannelError

    /// Returns the value of a future of the connection.
    /// - Throws: `ChannelError.connectTimeout` at the probe's deadline.
    func value<Value: Sendable>(of future: EventLoopFuture<Value>) async throws -> Value {
        try await future.get(before: deadline, orThrow: timeoutError)
    }

    /// Makes reads fail with `ChannelError.connectTimeout` at the probe's deadline. Cancel the result after the last
    /// read.
    package func scheduleEnd() -> Scheduled<Void> {
        channel.eventLoop.scheduleTask(deadline: deadline) { [channel, timeoutError] in
            channel.pipeline.fireErrorCaught(timeoutError)
        }
    }
}

extension TrustProbe {
    /// Returns the route to a server according to the probe's settings.
    package func route(to host: Hostname, port: Int, connectingTo address: String?) -> ConnectionRoute {
        ConnectionRoute(host, port: port, address: address, proxy: proxy, prologue: prologue)
    }

    /// Looks up the name, connects to its addresses side by side, opens the proxy's tunnel and runs the prologue.
    ///
    /// ``timeout`` begins after the lookup.
    /// - Parameter begin: adds the TLS handlers, on the event loop. It runs at the end of the route. Without a proxy
    ///   and a prologue, it runs before the connection is established, possibly for several channels when only one will
    ///   connect.
    package func open<Opened: Sendable>(
        _ route: ConnectionRoute, _ begin: @escaping @Sendable (any Channel) throws -> Opened
    ) async throws -> ProbeConnection<Opened> {
        let limit = TimeAmount(clamping: timeout)
        let route = try withProxyTLS(route)
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let known = ConcurrentNameResolver(try await addresses(route, on: loop), on: loop)
        let deadline = NIODeadline.now() + limit
        let timeoutError = ChannelError.connectTimeout(limit)
        let connected: (channel: any Channel, opened: EventLoopFuture<Opened>)
        let attempts = AddressAttempts()
        do {
            connected = try await ClientBootstrap(group: loop).connectTimeout(limit).resolver(known)
                .connect(to: route.peer, attempts) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        (channel, try route.open(channel, timeout: limit).flatMapThrowing { _ in try begin(channel) })
                    }
                }
        } catch {
            guard route.proxy == nil else { throw route.connectionError(error) }
            var failure = ConnectionFailure(error, host: route.host, port: route.port)
            failure.attempts = attempts.all
            throw failure
        }
        do {
            // A direct route already has its value, and a timeout must not drop it. NIO ends the process if an
            // asynchronous channel of an open connection isn't finished.
            let opened =
                route.isDirect
                ? try await connected.opened.get()
                : try await connected.opened.get(before: deadline, orThrow: route.connectionError(timeoutError))
            let isToServer = route.proxy == nil
            return ProbeConnection(
                channel: connected.channel, opened: opened, deadline: deadline,
                address: isToServer ? attempts.connected?.ipAddress : nil, attempts: isToServer ? attempts.all : [],
                timeoutError: timeoutError)
        } catch {
            connected.channel.close(promise: nil)
            throw route.connectionError(error)
        }
    }

    /// Adds TLS to a proxy that uses it.
    private func withProxyTLS(_ route: ConnectionRoute) throws -> ConnectionRoute {
        guard route.proxy?.isSecure == true else { return route }
        var settings = TLSConfiguration.clientForServerTrust(applicationProtocols: ["http/1.1"])
        settings.shutdownTimeout = .zero
        var route = route
        let source = proxySource ?? source
        let tls = try ServerTrustTLS(
            source, context: NIOSSLContext(configuration: settings), evaluationTimeout: timeout)
        do { try source.requireNotDenied(route.proxy?.tlsHost) } catch { throw route.connectionError(error) }
        route.proxyTLS = tls.toProxies
        return route
    }

    /// Looks up the name of the server or of the proxy.
    private func addresses(_ route: ConnectionRoute, on loop: any EventLoop) async throws -> [SocketAddress] {
        do {
            let deadline = NIODeadline.now() + TimeAmount(clamping: nameLookupTimeout)
            return try await nameLookup.addresses(of: route.peer.host, before: deadline, on: loop)
        } catch {
            throw route.connectionError(error)
        }
    }
}

extension EventLoopFuture where Value: Sendable {
    /// Waits for the value, and throws an error if the deadline comes first.
    package func get(before deadline: NIODeadline, orThrow error: any Error) async throws -> Value {
        let first = eventLoop.makePromise(of: Value.self)
        // The first result counts. The promise ignores the second one.
        cascade(to: first)
        let limit = eventLoop.scheduleTask(deadline: deadline) { first.fail(error) }
        defer { limit.cancel() }
        return try await first.futureResult.get()
    }
}

extension NIODeadline {
    /// The time elapsed since this deadline.
    package var elapsed: Duration { Duration(.now() - self) }
}

#endif
