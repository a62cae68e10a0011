// SPDX-License-Identifier: Apache-2.0

#if GRPC || Everything

import GRPCCore
import GRPCNIOTransportHTTP2Posix
import NIOCore
import NIOPosix
import PKIX
import ServerTrustNIO

/// Resolves names, and puts the address that first accepts a connection in front (RFC 8305).
///
/// gRPC Swift connects to one address after the other, and waits for a silent one until the connect timeout. So the
/// resolver makes another connection to find the first address to answer. Names with one address need no such
/// connection.
@available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, visionOS 2.0, *)
struct SideBySideResolver: NameResolverFactory {
    /// The time limit for the lookup, and for the connection attempts. It is the connect timeout of gRPC Swift.
    private static let limit = TimeAmount.seconds(10)

    let host: Hostname
    let lookup: NameLookup
    /// Receives the error if no address accepts a connection, and nil if one does.
    let report: @Sendable (ConnectionFailure?) -> Void

    func resolver(for target: ResolvableTargets.DNS) -> NameResolver {
        NameResolver(
            names: RPCAsyncSequence(wrapping: Names { try await resolve(target) }), updateMode: .pull,
            authority: target.host + (target.port.map { ":\($0)" } ?? ""))
    }

    private func resolve(_ target: ResolvableTargets.DNS) async throws -> NameResolutionResult {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
        let port = target.port ?? 443
        var addresses = try await lookup.addresses(of: target.host, before: .now() + Self.limit, on: eventLoop)
        let attempts = AddressAttempts()
        do {
            let first = try await addresses.firstToAccept(
                port: port, within: Self.limit, on: eventLoop, attempts)
            addresses.removeAll { $0.ipAddress == first.ipAddress }
            addresses.insert(first, at: 0)
            report(nil)
        } catch {
            try Task.checkCancellation()
            // gRPC Swift connects again, with its own back-off.
            report(attempts.failure(of: host, port: port))
        }
        return NameResolutionResult(
            endpoints: [Endpoint(addresses: addresses.compactMap { Self.address($0, port: port) })], serviceConfig: nil)
    }

    private static func address(
        _ address: NIOCore.SocketAddress, port: Int
    ) -> GRPCNIOTransportHTTP2Posix.SocketAddress? {
        guard let text = address.ipAddress else { return nil }
        return text.contains(":") ? .ipv6(host: text, port: port) : .ipv4(host: text, port: port)
    }

    /// Resolves the name each time gRPC Swift asks for it.
    private struct Names: AsyncSequence, AsyncIteratorProtocol, Sendable {
        typealias Element = NameResolutionResult
        typealias Failure = any Error

        let resolve: @Sendable () async throws -> NameResolutionResult

        func makeAsyncIterator() -> Names { self }

        func next() async throws -> NameResolutionResult? { try await resolve() }

        func next(isolation: isolated (any Actor)?) async throws(any Error) -> NameResolutionResult? {
            try await resolve()
        }
    }
}

#endif
