// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The lookup of a host's addresses. The fetcher connects to exactly these addresses and doesn't call the resolver
/// again.
struct AddressLookup: Sendable {
    private let issuers: NameLookup
    private let revocation: NameLookup

    // Names from unverified certificates can block the resolver. This separate lookup allows few of them at a time, so
    // revocation lookups and the rest of the program don't wait behind them.
    private static let issuers = NameLookup(maximumThreads: 16)
    private static let revocation = NameLookup(maximumThreads: 16)

    /// Creates a lookup that uses the system's resolver.
    init() {
        self.issuers = Self.issuers
        self.revocation = Self.revocation
    }

    /// Creates a lookup that calls a function, which may block its thread.
    init(_ resolve: @escaping @Sendable (_ name: String) throws -> [IPAddress]) {
        let answer: NameLookup.Resolve = { name throws(ConnectionFailure) in
            do {
                return try resolve(name).map {
                    try SocketAddress(packedIPAddress: ByteBuffer(bytes: $0.bytes), port: 0)
                }
            } catch {
                throw ConnectionFailure(.connectionNameNotResolved, name: name, detail: "\(error)")
            }
        }
        self.issuers = NameLookup(maximumThreads: 16, resolve: answer)
        self.revocation = NameLookup(maximumThreads: 16, resolve: answer)
    }

    /// - Throws: `ConnectionFailure`, also if the lookup takes too long. `CancellationError`.
    func addresses(
        of host: Hostname, for resource: TrustResource.Kind, before deadline: NIODeadline, on eventLoop: any EventLoop
    ) async throws -> [IPAddress] {
        if case .ip(let address) = host.kind { return [address] }
        let lookup = resource == .issuer ? issuers : revocation
        return try await lookup.addresses(of: host.description, before: deadline, on: eventLoop)
            .compactMap { IPAddress($0) }
    }
}

extension IPAddress {
    /// Creates the IP address of a socket address. Returns nil if the socket address isn't an IP address.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress, let parsed = IPAddress(text.prefix { $0 != "%" }) else { return nil }
        self = parsed
    }
}

extension [IPAddress] {
    /// The addresses in an order where IPv6 and IPv4 take turns, IPv6 first. A prefix has addresses of both families.
    var alternating: [IPAddress] {
        let (v6, v4) = (filter { $0.bytes.count == 16 }, filter { $0.bytes.count == 4 })
        return (0..<Swift.max(v6.count, v4.count)).flatMap { v6.dropFirst($0).prefix(1) + v4.dropFirst($0).prefix(1) }
    }
}

#endif
