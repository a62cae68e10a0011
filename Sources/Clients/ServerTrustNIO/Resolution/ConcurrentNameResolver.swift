// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// Looks names up side by side, for NIO's bootstraps.
///
/// ```swift
/// let bootstrap = ClientBootstrap(group: group).resolver(ConcurrentNameResolver())
/// ```
/// NIO's own resolver has a queue for each event loop, in which a name whose servers are silent holds up those behind it. This one asks the
/// system's resolver in a thread for each name, so that a name waits for its own servers alone, and gives up after a limit of its own.
///
/// A connection whose name isn't found fails with `NIOConnectionError`, which has a ``ConnectionFailure``.
public struct ConcurrentNameResolver: Resolver, Sendable {
    private let limit: TimeAmount
    private let lookup: NameLookup

    /// - Parameter limit: the longest that a name is looked up; 10 seconds unless given.
    public init(limit: Duration = .seconds(10)) { self.init(limit: TimeAmount(clamping: limit), .shared) }

    package init(limit: TimeAmount, _ lookup: NameLookup) {
        self.limit = limit
        self.lookup = lookup
    }

    // One look-up serves both.

    public func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.onlyIPv6(port: port) }
    }

    public func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        answer(host).map { $0.onlyIPv4(port: port) }
    }

    /// Does nothing: the system's resolver can't be interrupted.
    public func cancelQueries() {}

    private func answer(_ host: String) -> EventLoopFuture<[SocketAddress]> {
        // The bootstrap takes answers of any event loop.
        lookup.addresses(of: host, within: limit, on: MultiThreadedEventLoopGroup.singleton.any())
    }
}

/// Answers with addresses that are known already, so that NIO connects to one of them.
package struct KnownAddresses: Resolver, Sendable {
    private let addresses: [SocketAddress]
    private let eventLoop: any EventLoop

    package init(_ addresses: [SocketAddress], on eventLoop: any EventLoop) {
        self.addresses = addresses
        self.eventLoop = eventLoop
    }

    package func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.onlyIPv6(port: port))
    }

    package func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        eventLoop.makeSucceededFuture(addresses.onlyIPv4(port: port))
    }

    package func cancelQueries() {}
}

extension [SocketAddress] {
    fileprivate func onlyIPv4(port: Int) -> [SocketAddress] {
        filter { if case .v4 = $0 { true } else { false } }.map { $0.at(port: port) }
    }

    fileprivate func onlyIPv6(port: Int) -> [SocketAddress] {
        filter { if case .v6 = $0 { true } else { false } }.map { $0.at(port: port) }
    }
}

extension SocketAddress {
    /// Returns the address with another port.
    fileprivate func at(port: Int) -> SocketAddress {
        var address = self
        address.port = port
        return address
    }
}
