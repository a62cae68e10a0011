// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A gRPC Swift transport that evaluates every server before it sends any part of a call.
///
/// ```swift
/// let transport = try TrustedGRPCTransport(
///     target: .dns(host: "rpc.example.com"), transportSecurity: .serverTrust(ServerTrustConfiguration(manager)))
/// try await withGRPCClient(transport: transport) { client in … }
/// ```
/// It wraps gRPC Swift's Posix transport over HTTP/2, with its resolvers, load balancing and back-off. If a name has
/// several addresses, the transport tries them side by side (RFC 8305) each time it looks up the name, and gRPC Swift
/// connects to the one that answered first.
///
/// Each connection has a verdict on the validated path, for the host of the target. If a server is refused, calls fail
/// with an `RPCError` with the code `unavailable`, and its `cause` is the `TrustRefusal`. Calls that wait for a
/// connection (`waitForReady`) also fail, instead of waiting for another server. Calls fail with the code
/// `invalidArgument` if their metadata or method contains a line break or another character that HTTP doesn't allow.
/// The transport sends nothing of these calls.
///
/// When the rules of the configuration's manager change, the transport evaluates open connections again, and closes those
/// to servers that are no longer trusted (``reevaluateConnections()``).
///
/// The transport doesn't repeat a call that the server refused with REFUSED_STREAM or GOAWAY, because the call has begun
/// to read its messages. gRPC's own retry policy repeats such calls.
///
/// Not checked: Certificate Transparency and revocation, unless the configuration asks for them. The verdict shows
/// which checks ran.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
public struct TrustedGRPCTransport: ClientTransport {
    public typealias Bytes = HTTP2ClientTransport.Posix.Bytes

    private let inner: HTTP2ClientTransport.Posix
    private let host: Hostname
    private let tls: ServerTrustTLS
    private let last: LastRefusal
    private let end = TransportEnd()

    /// Creates a transport, which connects when the client runs.
    /// - Parameters:
    ///   - target: the servers to connect to. The host of a DNS target is the host to evaluate the servers for.
    ///   - host: the host to evaluate servers for. Required if the target is an address. Otherwise, the default is the
    ///     target's own host.
    ///   - transportSecurity: how to evaluate servers.
    ///   - config: all other settings. Its authority is the host unless you set it.
    ///   - resolverRegistry: creates the resolver of the target.
    ///   - serviceConfig: the service configuration to use if the resolver has none.
    ///   - eventLoopGroup: where connections run. The default is NIO's shared group.
    /// - Throws: ``TrustedGRPCTargetError`` if the target has no host, or if the authority or the target names a
    ///   different one. gRPC Swift's error if no resolver supports the target.
    public init(
        target: any ResolvableTarget, host: Hostname? = nil, transportSecurity: TrustedGRPCSecurity,
        config: HTTP2ClientTransport.Posix.Config = .defaults, resolverRegistry: NameResolverRegistry = .defaults,
        serviceConfig: ServiceConfig = ServiceConfig(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        let host = try Self.host(of: target, host)
        var config = config
        try config.setAuthority(of: host, for: target)
        var security = transportSecurity.tls
        let last = LastRefusal(security.source)
        // Transports may share their security, but each lists only its own connections.
        security.open = OpenServers(security.source) { last.note($0, isOpen: true) }
        let tls = security
        let next = config.channelDebuggingCallbacks.onCreateTCPConnection
        config.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
            let prepared = next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            return prepared.flatMapThrowing {
                try channel.addFrameFilter()
                do {
                    last.follow(try tls.addHandlers(to: channel.pipeline.syncOperations, host: host, position: .first))
                } catch let refusal as TrustRefusal {
                    last.note(refusal)
                    throw refusal
                }
            }
        }
        let nextStream = config.channelDebuggingCallbacks.onCreateHTTP2Stream
        config.channelDebuggingCallbacks.onCreateHTTP2Stream = { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(ResponseGuard(), position: .first)
            }.flatMap { nextStream?(stream) ?? stream.eventLoop.makeSucceededVoidFuture() }
        }
        var resolverRegistry = resolverRegistry
        if resolverRegistry.removeFactory(ofType: NameResolvers.DNS.self) {
            resolverRegistry.registerFactory(
                SideBySideResolver(host: host, lookup: transportSecurity.lookup) { last.note($0) })
        }
        // The callback above adds TLS. If it fails, there is no connection.
        self.inner = try HTTP2ClientTransport.Posix(
            target: target, transportSecurity: .customSecure, config: config, resolverRegistry: resolverRegistry,
            serviceConfig: serviceConfig, eventLoopGroup: eventLoopGroup)
        self.host = host
        self.tls = tls
        self.last = last
    }

    private static func host(of target: any ResolvableTarget, _ given: Hostname?) throws -> Hostname {
        guard let target = target as? ResolvableTargets.DNS else {
            guard let given else { throw TrustedGRPCTargetError(.grpcHostMissing) }
            return given
        }
        guard let named = try? Hostname(target.host) else {
            throw TrustedGRPCTargetError(.grpcHostUnreadable, name: target.host)
        }
        guard given == nil || given == named else { throw TrustedGRPCTargetError(.grpcHostDiffers, name: target.host) }
        return named
    }

    /// Evaluates the chains of all open connections again with the current rules, and closes the connections whose
    /// servers are no longer trusted. Calls on them fail with an `RPCError` whose `cause` is the `TrustRefusal`.
    ///
    /// This happens by itself when the rules of the configuration's manager change. Call it to wait for that, or when
    /// something else that the rules depend on has changed: a certificate expired, or there is a new CRL.
    /// - Returns: the refused servers with their new verdicts, in no particular order. The method returns when their
    ///   connections are closed.
    @discardableResult
    public func reevaluateConnections() async -> [EvaluatedServer] { await tls.reevaluateConnections() }

    public var retryThrottle: RetryThrottle? { inner.retryThrottle }

    public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? { inner.config(forMethod: descriptor) }

    /// Connects, and stays connected until you shut down the transport. While the rules deny the host, the transport
    /// doesn't look up its name.
    public func connect() async throws {
        do throws(TrustRefusal) { try tls.requireNotDenied(host) } catch {
            last.note(error)
            await untilAllowed()
            guard !end.isReached, !Task.isCancelled else { return }
        }
        try await inner.connect()
    }

    /// Waits until the rules don't deny the host anymore, or until the end.
    private func untilAllowed() async {
        let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let observation = tls.source.observeChanges { change.yield() }
        // The rules may have changed before the observation began.
        change.yield()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await end.wait() }
            group.addTask { for await _ in changes where tls.source.denial(of: host) == nil { break } }
            await group.next()
            group.cancelAll()
        }
        withExtendedLifetime(observation) {}
    }

    public func beginGracefulShutdown() {
        end.reach()
        inner.beginGracefulShutdown()
    }

    public func withStream<T: Sendable>(
        descriptor: MethodDescriptor, options: CallOptions,
        _ closure: (_ stream: RPCStream<Inbound, Outbound>, _ context: ClientContext) async throws -> T
    ) async throws -> T {
        do throws(TrustRefusal) { try tls.requireNotDenied(host) } catch { throw RPCError(error) }
        try descriptor.requireSendable()
        // If the rules have changed, no call begins on a connection that only the old rules trust.
        await tls.open?.reevaluate()
        let waits = options.waitForReady ?? config(forMethod: descriptor)?.waitForReady ?? false
        // The inner transport would queue a call whatever the reason for the wait, so this transport does the waiting
        // itself.
        var options = options
        options.waitForReady = false
        var pause = Duration.milliseconds(20)
        while true {
            var isOpen = false
            let refusals = last.openRefusals
            // A call whose writer throws ends with its stream's error, so the writer's error is kept here.
            let unsendable = Locked<RPCError?>(nil)
            do {
                let result = try await inner.withStream(descriptor: descriptor, options: options) { stream, context in
                    isOpen = true
                    var stream = stream
                    stream.inbound = RPCAsyncSequence(
                        wrapping: RefusalReader(parts: stream.inbound) { last.openRefusal(after: refusals) })
                    stream.outbound = RPCWriter.Closable(
                        wrapping: CheckedWriter(next: stream.outbound) { error in unsendable.withLock { $0 = error } })
                    return try await closure(stream, context)
                }
                if let error = unsendable.withLock({ $0 }) { throw error }
                return result
            } catch let error as RPCError where !isOpen && error.code == .unavailable {
                if let refusal = last.refusal { throw RPCError(refusal) }
                guard waits, !end.isReached else { throw last.failure.map { RPCError($0) } ?? error }
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(1))
        }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension HTTP2ClientTransport.Posix.Config {
    /// Sets the authority, which calls send, to the host. If it is already set, checks that it names the host.
    fileprivate mutating func setAuthority(of host: Hostname, for target: any ResolvableTarget) throws {
        let port = (target as? ResolvableTargets.DNS)?.port
        let written = host.description.contains(":") ? "[\(host)]" : host.description
        guard let authority = http2.authority else {
            http2.authority = written + (port.map { ":\($0)" } ?? "")
            return
        }
        let colon = authority.lastIndex(of: ":").flatMap { authority[$0...].contains("]") ? nil : $0 }
        let whole = try? Hostname(authority)
        let end = whole == host ? authority.endIndex : colon ?? authority.endIndex
        guard let named = whole == host ? whole : try? Hostname(String(authority[..<end])), named == host else {
            throw TrustedGRPCTargetError(.grpcHostDiffers, name: authority)
        }
        // Zones are only meaningful on this machine, so the client doesn't send them (RFC 6874 § 1).
        if named.zone != nil { http2.authority = written + authority[end...] }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension RPCError {
    /// The error of a call to a refused server.
    init(_ refusal: TrustRefusal) {
        self.init(code: .unavailable, message: "The server is refused: \(refusal)", cause: refusal)
    }

    /// The error of a call when none of the server's addresses accepts a connection.
    init(_ failure: ConnectionFailure) {
        self.init(code: .unavailable, message: "The server can't be reached: \(failure)", cause: failure)
    }
}

#endif
