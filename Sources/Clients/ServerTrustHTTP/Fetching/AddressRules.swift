// SPDX-License-Identifier: Apache-2.0

#if HTTP || Everything

import NIOCore
import PKIX
import ServerTrust
import ServerTrustNIO

/// The rules for the addresses that a fetcher may connect to if a URL comes from an unverified certificate.
///
/// By default, the rules allow addresses that are reachable from everywhere, because a server there answers the whole
/// internet anyway. They refuse addresses that only this machine or its network can reach, because attackers usually
/// target those addresses with such a URL.
public struct AddressRules: Sendable, Hashable {
    /// The hosts whose addresses aren't checked, for example your own CA in a private network.
    package var allowedHosts: Set<Hostname>
    /// The addresses to allow even if they aren't public.
    package var allowedAddresses: Set<IPAddress>

    /// Allows only public addresses.
    public static let publicOnly = AddressRules()

    /// - Parameters:
    ///   - allowedHosts: the hosts whose addresses aren't checked. Empty by default.
    ///   - allowedAddresses: the addresses to allow for every host. Empty by default.
    public init(allowedHosts: Set<Hostname> = [], allowedAddresses: Set<IPAddress> = []) {
        self.allowedHosts = allowedHosts
        self.allowedAddresses = allowedAddresses
    }

    /// Whether the rules allow an address for a host.
    package func allows(_ address: IPAddress, for host: Hostname) -> Bool {
        allowedHosts.contains(host) || allowedAddresses.contains(address) || address.isGloballyReachable
    }

    /// Whether the fetcher may request a host through a proxy, which resolves names itself. The host has to be an
    /// allowed address or a name in the public DNS.
    package func allowsThroughProxy(_ host: Hostname) -> Bool {
        switch host.kind {
        case .ip(let address): return allows(address, for: host)
        case .dns(let name):
            let labels = name.split(separator: ".")
            let isLocal =
                labels.count < 2 || labels.last.map { Self.localTopLevels.contains(String($0)) } ?? true
                || labels.suffix(2) == ["home", "arpa"]
            return allowedHosts.contains(host) || !isLocal
        }
    }

    /// Top-level domains without public servers: RFC 6761, RFC 6762, RFC 7686, and `internal`, which ICANN has reserved
    /// for private use.
    private static let localTopLevels: Set<String> = [
        "alt", "example", "internal", "intranet", "invalid", "lan", "local", "localdomain", "localhost", "onion",
        "test",
    ]
}

extension IPAddress {
    /// Whether the address is reachable from everywhere, according to IANA's registries of special-purpose addresses
    /// (RFC 6890).
    ///
    /// An IPv6 address that represents an IPv4 address has the class of the IPv4 address. These are mapped addresses
    /// (RFC 4291 § 2.5.5.2) and addresses with NAT64's well-known prefix (RFC 6052 § 2.1). Networks without IPv4 use
    /// that prefix to reach IPv4 hosts. The rules refuse 6to4, Teredo and NAT64 with a local prefix without decoding
    /// them.
    package var isGloballyReachable: Bool {
        guard bytes.count == 16 else { return !Self.specialV4.contains { begins(with: $0.0, bits: $0.1) } }
        if begins(with: Self.mapped, bits: 96) || begins(with: Self.nat64, bits: 96) {
            return IPAddress(bytes: Array(bytes[12...]))?.isGloballyReachable ?? false
        }
        // Of all other addresses, only 2000::/3 is global unicast (RFC 4291 § 2.4).
        return begins(with: [0x20], bits: 3) && !Self.specialV6.contains { begins(with: $0.0, bits: $0.1) }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    private static let nat64: [UInt8] = [0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0]

    /// The prefixes and their lengths in bits.
    private static let specialV4: [([UInt8], Int)] = [
        ([0], 8),  // this network, and 0.0.0.0
        ([10], 8), ([172, 16], 12), ([192, 168], 16),  // private
        ([100, 64], 10),  // shared by a provider's customers
        ([127], 8),  // loopback
        ([169, 254], 16),  // link-local, where cloud providers serve instance metadata
        ([192, 0, 0], 24),  // protocol assignments
        ([192, 0, 2], 24), ([198, 51, 100], 24), ([203, 0, 113], 24),  // documentation
        ([192, 88, 99], 24),  // 6to4 relays
        ([198, 18], 15),  // benchmarks
        ([224], 4),  // multicast
        ([240], 4),  // reserved, and broadcast
    ]
    private static let specialV6: [([UInt8], Int)] = [
        ([0x20, 0x01, 0x00], 23),  // protocol assignments, including Teredo
        ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x3f, 0xff, 0x00], 20),  // documentation
        ([0x20, 0x02], 16),  // 6to4
    ]
}

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
