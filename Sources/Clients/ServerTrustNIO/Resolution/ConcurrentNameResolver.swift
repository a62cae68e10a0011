// SPDX-License-Identifier: Apache-2.0

#if GRPC || HTTP || Everything

import NIOCore
import NIOPosix

/// A resolver for NIO's bootstraps that looks up names concurrently.
///
/// ```swift
/// let bootstrap = ClientBootstrap(group: group).resolver(ConcurrentNameResolver())
/// ```
/// NIO's own resolver has one queue for each event loop. If a name's servers don't answer, all later names in the queue
/// wait. This resolver calls the system's resolver on a separate thread for each name, so a name only waits for its own
/// servers. Each lookup has its own time limit.
///
/// The bootstrap tries the addresses side by side (RFC 8305), at most 16 of each family.
///
/// If a name isn't found, the connection fails with `NIOConnectionError`, which contains a ``ConnectionFailure``.
public struct ConcurrentNameResolver: Resolver, Sendable {
    private let answer: @Sendable (_ host: String) -> EventLoopFuture<[SocketAddress]>

    /// - Parameter limit: the longest time for the lookup of a name. The default is 10 seconds.
    public init(limit: Duration = .seconds(10)) { self.init(limit: TimeAmount(clamping: limit), .shared) }

    package init(limit: TimeAmount, _ lookup: NameLookup) {
        // The bootstrap accepts answers from any event loop.
        answer = { lookup.addresses(of: $0, within: limit, on: MultiThreadedEventLoopGroup.singleton.any()) }
    }

    /// Returns known addresses for every name, so that NIO connects to one of them.
    package init(_ addresses: [SocketAddress], on eventLoop: any EventLoop) {
        answer = { _ in eventLoop.makeSucceededFuture(addresses) }
    }

    // One lookup serves both queries.

    public func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.only(.inet6, port: port) }
    }

    public func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.only(.inet, port: port) }
    }

    /// Does nothing, because the system's resolver can't be interrupted.
    public func cancelQueries() {}
}

extension [SocketAddress] {
    /// The largest number of addresses of a family to connect to. Within 10 seconds, attempts to 40 silent addresses
    /// can begin, 250 ms apart.
    fileprivate static var mostOfFamily: Int { 16 }

    /// Returns the first addresses of a family, with a port.
    fileprivate func only(_ family: NIOBSDSocket.ProtocolFamily, port: Int) -> [SocketAddress] {
        filter { $0.protocol == family }.prefix(Self.mostOfFamily).map { $0.at(port: port) }
    }
}

extension SocketAddress {
    /// Returns the address with a different port.
    fileprivate func at(port: Int) -> SocketAddress {
        var address = self
        address.port = port
        return address
    }
}

#endif
