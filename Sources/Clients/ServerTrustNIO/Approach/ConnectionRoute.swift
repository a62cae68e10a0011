// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix
import PKIX

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The way to a server up to the point where TLS begins: a connection to it or to a proxy, the proxy's tunnel, a prologue.
package struct ConnectionRoute: Sendable {
    /// The host that is evaluated.
    package let host: Hostname
    /// The port of the server.
    package let port: Int
    /// The name or address to connect to instead of the host; nil for the host.
    package var address: String?
    /// The proxy; nil for a direct connection.
    package var proxy: ConnectionProxy?
    /// The exchange before TLS; nil for none.
    package var prologue: TLSPrologue?

    package init(
        _ host: Hostname, port: Int, address: String? = nil, proxy: ConnectionProxy? = nil,
        prologue: TLSPrologue? = nil
    ) {
        self.host = host
        self.port = port
        self.address = address
        self.proxy = proxy
        self.prologue = prologue
    }

    /// The name or address that the server is reached by through a proxy, which has other interfaces: without a zone.
    var target: String { address.map { String($0.prefix { $0 != "%" }) } ?? host.description }

    /// The end of the TCP connection. A name of the server that is reached through a proxy doesn't get to the resolver.
    package var peer: (host: String, port: Int) {
        proxy.map { ($0.host, $0.port) } ?? (address ?? host.resolverName, port)
    }

    /// Whether TLS begins with the connection.
    package var isDirect: Bool { proxy == nil && prologue == nil }

    /// Adds the handlers of the tunnel and of the prologue; on the event loop of a channel that isn't connected yet.
    /// - Parameter timeout: from the connection to the point where TLS begins.
    /// - Returns: completes on the event loop when TLS is to begin, before another byte is read: the callback has to add TLS at once. The value
    ///   is what is left of the timeout. Fails with ``ConnectionFailure``; the connection is closed then.
    package func open(_ channel: any Channel, timeout: TimeAmount) throws -> EventLoopFuture<TimeAmount> {
        guard !isDirect else { return channel.eventLoop.makeSucceededFuture(timeout) }
        let handler = ApproachHandler(self, timeout: timeout, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(handler)
        return handler.opened
    }

    /// The error for an approach that takes longer than a limit: the proxy's if there is one.
    package func timeoutError(_ limit: TimeAmount) -> any Error {
        connectionError(ChannelError.connectTimeout(limit))
    }

    /// The error for one of the TCP connection: the proxy's if it goes there.
    package func connectionError(_ error: any Error) -> any Error {
        guard let proxy,
            error is NIOConnectionError || error is IOError || error is ChannelError
                || (error as? ConnectionFailure)?.isOfNameLookup == true
        else { return error }
        return ConnectionFailure(TunnelProblem(error), of: proxy, to: host, port: port)
    }
}

extension NIOConnectionError {
    /// The error of ``ConcurrentNameResolver``; nil for another resolver's.
    package var nameLookupFailure: ConnectionFailure? { (dnsAError ?? dnsAAAAError) as? ConnectionFailure }
}

extension ConnectionFailure {
    /// Returns the words for an error of a connection.
    static func text(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            (error.nameLookupFailure ?? ConnectionFailure(.connectionNameNotResolved, name: error.host)).detail
        case let error as NIOConnectionError:
            error.connectionErrors.map { "\(text($0.target)): \(text($0.error))" }.joined(separator: "; ")
        case ChannelError.connectTimeout: "no answer within the time allowed"
        // Safe: the text of an error number ends with a zero byte and is copied here.
        case let error as IOError: unsafe String(cString: strerror(error.errnoCode)).lowercased()
        case let error as ConnectionFailure: error.detail
        default: "\(error)"
        }
    }

    private static func text(_ address: SocketAddress) -> String {
        guard let ip = address.ipAddress, let port = address.port else { return address.description }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
