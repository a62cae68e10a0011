// SPDX-License-Identifier: Apache-2.0

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import PKIX
import ServerTrust
import ServerTrustNIO

/// A transport of gRPC Swift that evaluates every server before a byte of a call goes out.
///
/// ```swift
/// let transport = try TrustedGRPCTransport(
///     target: .dns(host: "rpc.example.com"), transportSecurity: .serverTrust(ServerTrustConfiguration(manager)))
/// try await withGRPCClient(transport: transport) { client in … }
/// ```
/// Inside works gRPC Swift's Posix transport over HTTP/2, with its resolvers, balancing and back-off. Every connection has its verdict on the
/// validated path, for the host of the target. A refused server fails calls with `RPCError`, code `unavailable`, whose `cause` is the
/// `TrustRefusal`; calls that wait for a connection (`waitForReady`) as well, instead of waiting until the server is another. Metadata and
/// methods with a line break or another character that HTTP doesn't allow fail calls with code `invalidArgument`; nothing is sent.
///
/// Not checked: certificate transparency and revocation unless the configuration asks for them, as the verdict says.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
public struct TrustedGRPCTransport: ClientTransport {
    public typealias Bytes = HTTP2ClientTransport.Posix.Bytes

    private let inner: HTTP2ClientTransport.Posix
    private let host: Hostname
    private let tls: ServerTrustTLS
    private let last: LastRefusal
    private let end = TransportEnd()

    /// Makes a transport, which connects when the client runs.
    /// - Parameters:
    ///   - target: the servers. The host of a DNS target is the one that they are evaluated for.
    ///   - host: the host that servers are evaluated for; needed for targets that are addresses, and the target's own otherwise.
    ///   - transportSecurity: how servers are evaluated.
    ///   - config: everything else. Its authority is the host unless it is set.
    ///   - resolverRegistry: makes the resolver of the target.
    ///   - serviceConfig: used where the resolver has none.
    ///   - eventLoopGroup: where connections run; NIO's shared one unless given.
    /// - Throws: ``TrustedGRPCTargetError`` for a target without a host, and for an authority or a target that names another one; gRPC
    ///   Swift's error for a target without a resolver.
    public init(
        target: any ResolvableTarget, host: Hostname? = nil, transportSecurity: TrustedGRPCSecurity,
        config: HTTP2ClientTransport.Posix.Config = .defaults, resolverRegistry: NameResolverRegistry = .defaults,
        serviceConfig: ServiceConfig = ServiceConfig(),
        eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws {
        let host = try Self.host(of: target, host)
        var config = config
        try config.setAuthority(of: host, for: target)
        let tls = transportSecurity.tls
        let last = LastRefusal()
        let next = config.channelDebuggingCallbacks.onCreateTCPConnection
        config.channelDebuggingCallbacks.onCreateTCPConnection = { channel in
            let prepared = next?(channel) ?? channel.eventLoop.makeSucceededVoidFuture()
            return prepared.flatMapThrowing {
                do {
                    last.follow(try tls.addHandlers(to: channel.pipeline.syncOperations, host: host, position: .first))
                } catch let refusal as TrustRefusal {
                    last.note(refusal)
                    throw refusal
                }
            }
        }
        // TLS is ours: without it the callback above fails, and no connection is made.
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

    public var retryThrottle: RetryThrottle? { inner.retryThrottle }

    public func config(forMethod descriptor: MethodDescriptor) -> MethodConfig? { inner.config(forMethod: descriptor) }

    /// Connects, and stays connected until the transport is shut down. A host that the rules deny isn't looked up.
    public func connect() async throws {
        do throws(TrustRefusal) { try tls.requireNotDenied(host) } catch {
            last.note(error)
            return await end.wait()
        }
        try await inner.connect()
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
        let waits = options.waitForReady ?? config(forMethod: descriptor)?.waitForReady ?? false
        // The transport inside would queue a call that waits for any reason; so the waiting is done here.
        var options = options
        options.waitForReady = false
        var pause = Duration.milliseconds(20)
        while true {
            var isOpen = false
            // A call whose writer throws ends with an error of its stream.
            let unsendable = Locked<RPCError?>(nil)
            do {
                let result = try await inner.withStream(descriptor: descriptor, options: options) { stream, context in
                    isOpen = true
                    var stream = stream
                    stream.outbound = RPCWriter.Closable(
                        wrapping: CheckedWriter(stream.outbound) { error in unsendable.withLock { $0 = error } })
                    return try await closure(stream, context)
                }
                if let error = unsendable.withLock({ $0 }) { throw error }
                return result
            } catch let error as RPCError where !isOpen && error.code == .unavailable {
                if let refusal = last.refusal { throw RPCError(refusal) }
                guard waits, !end.isReached else { throw error }
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, .seconds(1))
        }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension HTTP2ClientTransport.Posix.Config {
    /// Sets the authority to the host, which goes into the calls; checks it if it is set.
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
        // Only this machine knows its zones, so the client doesn't send one (RFC 6874 § 1).
        if named.zone != nil { http2.authority = written + authority[end...] }
    }
}

@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
extension RPCError {
    /// The error of a call whose server is refused.
    fileprivate init(_ refusal: TrustRefusal) {
        self.init(code: .unavailable, message: "The server is refused: \(refusal)", cause: refusal)
    }
}
